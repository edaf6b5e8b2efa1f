import { root } from '../../dev/lib/root.cjs';
import {
	packageAuthor,
	packageHome,
	packageJson,
	readRepositoryFile,
	runCommand,
	trackedFiles,
} from '../support/repository.mts';

const texts = trackedFiles
	.map((file) => [file, readRepositoryFile(file)] as const)
	.filter(([, text]) => !text.includes('\0'));

/** All matches of a pattern in the tracked files, as "file: match". */
const listMatches = (pattern: RegExp) =>
	texts.flatMap(([file, text]) =>
		[...text.matchAll(pattern)].map(([match]) => `${file}: ${match.trim()}`),
	);

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const createOtherPattern = (pattern: string, expected: string) =>
	RegExp(`(?!${escapePattern(expected)}(?![\\w-]|\\.(?!git)\\w))${pattern}`, 'g');

describe('the tracked files', () => {
	const registry = runCommand('npm', ['config', 'get', 'registry'])
		.trim()
		.replace(/^https?:\/\/|\/$/g, '');

	it.each<{ what: string; pattern: RegExp }>([
		{ what: 'the address of a package registry', pattern: /https?:\/\/[^\s"'`)]*registry.*/gi },
		{ what: 'the registry of this machine', pattern: RegExp(escapePattern(registry), 'g') },
		{ what: 'a key of the service', pattern: /eak_(test|live)_[A-Za-z0-9]{16,}/g },
		{ what: 'the folder of this clone', pattern: RegExp(escapePattern(root), 'g') },
		// /home/node is the home folder in n8n's own container.
		{
			what: 'a folder of a machine',
			pattern: /(^|[\s"'`(=:])\/(work|root|workspace|Users|home\/(?!node\b))\//gm,
		},
		{
			what: 'another spelling of the home page',
			pattern: createOtherPattern(
				`github\\.com[/:][\\w.-]+/${packageJson.name}\\b`,
				packageHome.replace('https://', ''),
			),
		},
		{
			what: 'another address of the maintainers',
			pattern: createOtherPattern('maintainers@[\\w.-]*\\w', packageAuthor.email),
		},
	])('do not contain $what', ({ pattern }) => {
		expect(listMatches(pattern)).toEqual([]);
	});

	it('do not contain an address that npm would install from', () => {
		const locks = trackedFiles.filter((file) => file.endsWith('package-lock.json'));
		expect(locks).toContain('package-lock.json');
		for (const lock of locks) expect(readRepositoryFile(lock)).not.toContain('"resolved":');
	});
});
