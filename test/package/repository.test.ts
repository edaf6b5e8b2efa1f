/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { AUTHOR, HOME, packageJson, read, ROOT, trackedFiles } from './repository';

const texts = trackedFiles
	.map((file) => [file, read(file)] as const)
	.filter(([, text]) => !text.includes('\0'));

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
		['the registry of this machine', RegExp(literally(registry ?? '\0'), 'g')],
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

	it('a test that keeps the others of its file from running', () => {
		const focused = /\b(?:(?:it|test|describe)(?:\.\w+)*\.only|f(?:it|describe))[(.]/;
		const tests = texts.filter(([file]) => file.endsWith('.test.ts'));
		expect(tests.filter(([, text]) => focused.test(text))).toEqual([]);
	});

	it('an address that npm would install from', () => {
		const locks = trackedFiles.filter((file) => file.endsWith('package-lock.json'));
		expect(locks).toContain('package-lock.json');
		for (const lock of locks) expect(read(lock)).not.toContain('"resolved":');
	});
});
