/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { AUTHOR, HOME, packageJson, read, ROOT, trackedFiles, trackedTexts } from './repository';

const texts = [...trackedTexts()];

/** All matches of a pattern in the tracked files, as "file: match". */
const matches = (pattern: RegExp) =>
	texts.flatMap(([file, text]) =>
		[...text.matchAll(pattern)].map(([match]) => `${file}: ${match.trim()}`),
	);

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const other = (pattern: string, expected: string) =>
	RegExp(`(?!${literally(expected)}(?![\\w-]|\\.(?!git)\\w))${pattern}`, 'g');

describe('no tracked file contains', () => {
	// npm tells its scripts which registry this machine uses.
	const registry = process.env.npm_config_registry?.replace(/^https?:\/\/|\/$/g, '');

	it.each<[what: string, pattern: RegExp]>([
		['the address of a package registry', /https?:\/\/[^\s"'`)]*registry.*/gi],
		...(registry
			? [['the registry of this machine', RegExp(literally(registry), 'g')] as [string, RegExp]]
			: []),
		['a key of the service', /eak_(test|live)_[A-Za-z0-9]{16,}/g],
		['the folder of this clone', RegExp(literally(ROOT), 'g')],
		// /home/node is the home folder in n8n's own container.
		['a folder of a machine', /(^|[\s"'`(=:])\/(work|root|workspace|Users|home\/(?!node\b))\//gm],
		[
			'another spelling of the home page',
			other(`github\\.com[/:][\\w.-]+/${packageJson.name}\\b`, HOME.replace('https://', '')),
		],
		['another address of the maintainers', other('maintainers@[\\w.-]*\\w', AUTHOR.email)],
	])('%s', (_what, pattern) => {
		expect(matches(pattern)).toEqual([]);
	});

	it('an address that npm would install from', () => {
		const locks = texts.filter(([file]) => file.endsWith('package-lock.json'));
		expect(locks.map(([file]) => file)).toContain('package-lock.json');
		for (const [, text] of locks) {
			const { packages } = JSON.parse(text) as { packages: Record<string, object> };
			expect(Object.values(packages).filter((entry) => 'resolved' in entry)).toEqual([]);
		}
	});
});

it('no built file is tracked', () => {
	const built = /^(dist|node_modules|reports|coverage|\.demo|\.hosts)\/|\.tgz$/;
	expect(trackedFiles.filter((file) => built.test(file))).toEqual([]);
});

it("one package.json has the package's name, which n8n's scan looks for", () => {
	const named = texts.filter(
		([file, text]) =>
			/(^|\/)package\.json$/.test(file) &&
			(JSON.parse(text) as { name?: string }).name === packageJson.name,
	);
	expect(named.map(([file]) => file)).toEqual(['package.json']);
});

describe('the home page and the maintainers', () => {
	const codex = JSON.parse(read('nodes/VoiceSpeech/VoiceSpeech.node.json')) as {
		resources: Record<string, Array<{ url: string }>>;
	};
	const links = Object.values(codex.resources).flatMap((list) => list.map(({ url }) => url));

	it('are those of package.json', () => {
		expect(packageJson).toMatchObject({
			...{ homepage: HOME, author: AUTHOR, bugs: { url: `${HOME}/issues` } },
			repository: { type: 'git', url: `git+${HOME}.git` },
		});
	});

	it.each([new VoiceSpeechApi().documentationUrl, ...links])('are linked from n8n: %s', (url) => {
		expect(url.split('#')[0]).toBe(HOME);
	});

	it.each<[file: string, texts: string[]]>([
		['README.md', [HOME]],
		['CHANGELOG.md', [HOME]],
		['CONTRIBUTING.md', [HOME, AUTHOR.email]],
		['SECURITY.md', [HOME, AUTHOR.email]],
		['LICENSE', [AUTHOR.name]],
	])('are in %s', (file, expected) => {
		for (const text of expected) expect(read(file)).toContain(text);
	});
});

it('the documents name only commands that package.json has', () => {
	const commands = texts
		.filter(([file]) => file.endsWith('.md'))
		.flatMap(([, text]) => [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name!));
	expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(commands));
});
