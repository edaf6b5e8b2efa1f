import fs from 'node:fs';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import { typeScriptFlags } from '../../dev/lib/typeScriptFlags.cjs';
import { runCommand, trackedFiles } from '../support/repository.mts';
import { createTestFolder } from '../support/testFolder.mts';

/** A place that a person writes, by the steps of docs/development/adding.md, "Adding an operation". */
interface Step {
	file: string;
	/** The text of a new file, or what is put before a text of an existing one. */
	text: string;
	before?: string;
}

const steps: Step[] = [
	{
		file: 'nodes/VoiceSpeech/resources/language/countWords.ts',
		text: `import { textParameter } from '../../descriptions/parameters';
import type { Operation } from '../../descriptions/operation';

export const countWords: Operation = {
	resource: 'language',
	value: 'countWords',
	name: 'Count Words',
	action: 'Count words',
	description: 'Count the words of a text',
	endpoint: { path: '/ai/word-count', scope: 'word-count', input: 'text', returns: 'json' },
	parameters: [textParameter],
	outputFields: { words: 'integer' },
};
`,
	},
	{
		file: 'nodes/VoiceSpeech/descriptions/operation.ts',
		before: 'recognize intent',
		text: 'count words, ',
	},
	{
		file: 'docs/openapi.yaml',
		before: 'components:\n',
		text: `  /ai/word-count:
    post:
      operationId: countWords
      tags: [language]
      summary: Word count
      security: [{ apiKey: [word-count] }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [text], properties: { text: { type: string } } }
      responses:
        2XX:
          description: The number of words.
          content:
            application/json:
              schema: { type: object, required: [words], properties: { words: { type: integer } } }
        default: { $ref: '#/components/responses/Refusal' }
`,
	},
	{
		file: 'docs/openapi.yaml',
		before: '      description: The allowed scopes.',
		text: '        - word-count\n',
	},
	{
		file: 'dev/emulator/service/word-count.mts',
		text: `import { createJsonResponse, type OperationHandler } from '../http/call.mts';
import { requireText } from '../http/fields.mts';
import { readJsonBody } from '../http/jsonBody.mts';

/** POST /ai/word-count. */
export const wordCount: OperationHandler<{ text: string }> = {
	credits: 1,
	rule: 'the number of words',
	async read(call) {
		const body = await readJsonBody(call);
		return { text: requireText(body.text, 'text', call.settings.maxTextCharacters) };
	},
	async perform(call, { text }) {
		return createJsonResponse(call, { words: text.split(' ').length }, {});
	},
};
`,
	},
	{
		file: 'docs/operations/count-words.md',
		text: `# Count Words

| Use it for           | You give | You get             |
| -------------------- | -------- | ------------------- |
| the length of a text | a text   | its number of words |

## Example

\`\`\`json
{
	"resource": "language",
	"operation": "countWords",
	"text": "={{ $json.story }}"
}
\`\`\`

\`\`\`json
{ "json": { "story": "Once upon a time" } }
\`\`\`

\`\`\`http
POST /ai/word-count HTTP/1.1
X-API-Key: <API_KEY>
Content-Type: application/json

{"text":"Once upon a time"}
\`\`\`

\`\`\`json
{ "json": { "words": 4 } }
\`\`\`
`,
	},
	{
		file: 'test/engine/requests.test.mts',
		before: '\t// test/docs/openapi.test.mts has the paths',
		text: `	[
		'a text',
		'word-count',
		{ resource: 'language', operation: 'countWords', text: 'Once' },
		'{"text":"Once"}',
	],
`,
	},
];

const writtenByHand = [...new Set(steps.map(({ file }) => file))].sort();

const copy = createTestFolder();

/** The program of both commands of `npm run lint`, which take minutes for all files. */
const eslint = 'node_modules/eslint/bin/eslint.js';

/** Without jest's own variable, which makes n8n's lint judge files by other rules. */
const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: undefined };

function runInCopy(command: string, ...args: string[]): string {
	try {
		return runCommand(command, args, copy, env);
	} catch (error) {
		// The message has only what the command wrote to standard error.
		const { stdout } = error as { stdout?: string };
		throw new Error(`${[command, ...args].join(' ')} failed: ${stdout}`, { cause: error });
	}
}

function runScript(script: string, ...args: string[]): string {
	return runInCopy(process.execPath, ...typeScriptFlags, script, ...args);
}

/** Runs tests in the copy. Returns the titles of those that passed. */
function runTests(...args: string[]): string[] {
	const reportFile = path.join(copy, '.git/report.json');
	runInCopy('npx', 'jest', '--json', `--outputFile=${reportFile}`, ...args);
	const { testResults } = JSON.parse(fs.readFileSync(reportFile, 'utf8')) as {
		testResults: Array<{ assertionResults: Array<{ title: string; status: string }> }>;
	};
	const results = testResults.flatMap(({ assertionResults }) => assertionResults);
	return results.filter(({ status }) => status === 'passed').map(({ title }) => title);
}

/** Copies what git tracks, with the packages of this clone. */
function copyRepository(): void {
	for (const file of trackedFiles) {
		fs.cpSync(path.join(root, file), path.join(copy, file), { recursive: true });
	}
	runInCopy('git', 'init', '--quiet');
	fs.appendFileSync(path.join(copy, '.git/info/exclude'), 'node_modules\n');
	fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
	runInCopy('git', 'add', '--all');
}

function perform({ file, text, before }: Step): void {
	const target = path.join(copy, file);
	if (before === undefined) {
		fs.mkdirSync(path.dirname(target), { recursive: true });
		fs.writeFileSync(target, text);
		return;
	}
	const [head, ...rest] = fs.readFileSync(target, 'utf8').split(before);
	expect(rest.length).toBeGreaterThan(0);
	fs.writeFileSync(target, `${head}${text}${before}${rest.join(before)}`);
}

describe('another operation', () => {
	let changed: string[];

	beforeAll(() => {
		copyRepository();
		steps.forEach(perform);
		runScript('dev/scripts/docs.mts');
		runInCopy('npx', 'jest', 'test/package/panels', '--update-snapshot');
		// Git lists a new file as a change, and some tests read it, only if git knows it.
		runInCopy('git', 'add', '--intent-to-add', '.');
		changed = runInCopy('git', 'diff', '--name-only').trim().split('\n').sort();
	});

	it('needs nothing else but what the generators write', () => {
		const generated = changed.filter((file) => !writtenByHand.includes(file));
		expect(generated).toEqual([
			'.github/ISSUE_TEMPLATE/bug.yml',
			'README.md',
			'dev/emulator/README.md',
			'dev/emulator/service/index.mts',
			'docs/operations/README.md',
			'nodes/VoiceSpeech/VoiceSpeech.node.json',
			'nodes/VoiceSpeech/__schema__/v1.0.0/language/countWords.json',
			'nodes/VoiceSpeech/resources/index.ts',
			'test/package/__snapshots__/panels.test.mts.snap',
		]);
		runScript('dev/scripts/docs.mts', '--check');
	});

	it('has the right types, style and format', () => {
		const sources = changed.filter((file) => /\.m?ts$/.test(file));
		runInCopy('npm', 'run', 'types');
		// n8n's lint ignores the files of dev/.
		const judged = sources.filter((file) => file.endsWith('.ts'));
		runInCopy(process.execPath, eslint, ...judged);
		runInCopy(process.execPath, eslint, '--config', 'dev/lint/typed.config.mjs', ...sources);
		runInCopy('npx', 'prettier', '--check', '--ignore-unknown', ...changed);
	});

	it('passes the tests of the engine, the package and the docs', () => {
		runScript('dev/scripts/prepare.mts');
		const passed = runTests(
			'test/docs',
			'test/package',
			'test/descriptions',
			'test/engine/requests',
		);
		expect(passed).toContain('knows the scope of countWords, if one is documented');
	});

	it('passes the tests of the emulator', () => {
		const config = ['--config', 'test/n8n.config.cjs', '--selectProjects', 'full', '--ci'];
		const passed = runTests(...config, 'test/full/emulator/(interface|console|http|docsExamples)');
		expect(passed).toEqual(
			expect.arrayContaining([
				'the emulator responds at /ai/word-count as docs/openapi.yaml describes it',
				'the example of docs/operations/count-words.md has the described result',
			]),
		);
	});
});
