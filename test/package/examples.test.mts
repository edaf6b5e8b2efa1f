import type { IConnections, INode, IWorkflowSettings } from 'n8n-workflow';

import { packageJson, readRepositoryFile, trackedFiles } from '../support/repository.mts';
import { description, readShownParameters } from '../support/shownParameters.mts';

interface Example {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings: IWorkflowSettings;
	pinData?: object;
}

const type = `${packageJson.name}.${description.name}`;
const isOwn = (node: INode) => node.type === type || node.type === `${type}Tool`;
const isNote = (node: INode) => node.type === 'n8n-nodes-base.stickyNote';

/** The types of nodes that show visitors a page or a response. */
const pageTypes = ['n8n-nodes-base.form', 'n8n-nodes-base.respondToWebhook'];

const files = trackedFiles
	.filter((file) => /^examples\/.+\.json$/.test(file))
	.map((file) => file.replace('examples/', ''));
const examples = files.map((file) => ({
	file,
	...(JSON.parse(readRepositoryFile(`examples/${file}`)) as Example),
}));

/** The values of the node "Settings", by their names. */
function readSettings({ parameters }: INode): Record<string, unknown> {
	const { assignments } = parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

/** What the first group of a pattern finds. */
const findGroups = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, group]) => group!);

it('examples/README.md lists all examples, each with a picture', () => {
	expect(files.length).toBeGreaterThanOrEqual(8);
	const readme = readRepositoryFile('examples/README.md');
	expect(findGroups(readme, /\]\(([\w-]+\.json)\)/g).sort()).toEqual(files);
	const pictures = findGroups(readme, /images\/examples\/([\w-]+)\.png/g);
	expect(pictures.map((name) => `${name}.json`).sort()).toEqual(files);
});

describe.each(examples)('$file', ({ name, nodes, connections, settings, pinData }) => {
	const text = JSON.stringify(nodes);
	const notes = nodes.filter(isNote);
	const names = nodes.map((node) => node.name);

	it('has unique node names, notes, the node itself, and no credential or pinned data', () => {
		expect(name).toMatch(/^[A-Z].+/);
		expect(names).toEqual([...new Set(names)]);
		expect(notes).not.toHaveLength(0);
		expect(nodes.filter(isOwn)).not.toHaveLength(0);
		expect(settings).toEqual({ executionOrder: 'v1' });
		expect(pinData).toEqual({});
		for (const node of nodes) expect(node).not.toHaveProperty('credentials');
		expect(text).not.toMatch(/eak_(test|live)_/);
	});

	it('shows in a test run why a call failed, on the last page of its form', () => {
		const failures = nodes.filter(isOwn).flatMap((node) => connections[node.name]?.main?.[1] ?? []);
		const targets = failures.map((target) => target.node);
		const pages = nodes.filter(({ parameters }) => parameters.operation === 'completion');
		for (const { parameters } of pages.filter((node) => targets.includes(node.name))) {
			expect(parameters.completionMessage).toMatch(
				/\{\{ \$execution\.mode === 'test' \? .*\$json\.error\.message/,
			);
		}
	});

	it('has the same name in n8n, in its first note, and on both pages that list it', () => {
		expect(notes[0]!.parameters.content).toContain(`## ${name}\n`);
		expect(readRepositoryFile('examples/README.md')).toContain(`\n### ${name}\n`);
		expect(readRepositoryFile('README.md')).toContain(`[${name}](examples/README.md#`);
	});

	it('connects every node that is not a note', () => {
		const targets = findGroups(JSON.stringify(connections), /"node":"([^"]+)"/g);
		const connected = new Set([...Object.keys(connections), ...targets]);
		const working = nodes.filter((node) => !isNote(node)).map((node) => node.name);
		expect([...connected].sort()).toEqual(working.sort());
	});

	it('names only its own nodes in expressions, and only example hosts', () => {
		expect(names).toEqual(expect.arrayContaining(findGroups(text, /\$\('([^']+)'\)/g)));
		for (const host of findGroups(text, /https?:\/\/([\w.-]*\w)/g)) {
			expect(host).toMatch(/(^|\.)example\.com$/);
		}
	});

	it.each(nodes.filter(isOwn))('sets the operation of "$name", as defaults may change', (node) => {
		const { resource, operation } = readShownParameters(node.parameters);
		expect(node.parameters).toMatchObject({ resource, operation });
		expect(node.typeVersion).toBe(description.version);
	});

	it('shows visitors nothing that is for the person who runs n8n', () => {
		const pages = nodes.filter((node) => pageTypes.includes(node.type));
		for (const { parameters } of pages) {
			const shown = JSON.stringify(parameters)
				// What a test run shows, which only the person who builds the workflow starts.
				.replace(/\{\{ \$execution\.mode === 'test' \? .*? : '' \}\}/g, '')
				// A message about the visitor's own file.
				.replaceAll(`$json.error.message.startsWith('The file ') ? $json.error.message + '.'`, '')
				// Comparisons, which show nothing.
				.replaceAll('String($json.error?.message ?? $json.error).startsWith', '')
				.replaceAll('$json.error.message.startsWith', '');
			expect(shown).not.toMatch(/error\??\.(message|description)|\berror (\+|\?\?|\}\})/);
		}
	});

	it('allows a sandbox key only, by default', () => {
		const values = nodes.filter((node) => node.name === 'Settings').map(readSettings);
		const allowed = values.length
			? "={{ $('Settings').first().json.allowedEnvironment }}"
			: 'sandbox';
		// The operations of Recording make no call.
		const callers = nodes.filter((node) => isOwn(node) && node.parameters.resource !== 'recording');
		for (const { parameters } of callers) expect(parameters.allowedEnvironment).toBe(allowed);
		if (callers.length > 0) {
			for (const { allowedEnvironment } of values) expect(allowedEnvironment).toBe('sandbox');
		}
		const used = findGroups(text, /\$\('Settings'\)\.first\(\)\.json\.(\w+)/g);
		expect([...new Set(used)].sort()).toEqual(values.flatMap(Object.keys).sort());
	});
});
