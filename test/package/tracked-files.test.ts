/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { ROOT, trackedFiles, trackedTexts } from './repository';

/** Lines of tracked files that match, as "file:line". */
function linesWith(pattern: RegExp | string): string[] {
	return [...trackedTexts()].flatMap(([file, text]) =>
		text
			.split('\n')
			.flatMap((line, index) =>
				(typeof pattern === 'string' ? line.includes(pattern) : pattern.test(line))
					? [`${file}:${index + 1}`]
					: [],
			),
	);
}

describe('the files that git tracks', () => {
	it('name no package registry', () => {
		expect(linesWith(/https?:\/\/[^\s"'`)]*registry/i)).toEqual([]);
		// npm tells its scripts which registry this machine uses: it must not have slipped in.
		const address = process.env.npm_config_registry?.replace(/^https?:\/\/|\/$/g, '');
		if (address) expect(linesWith(address)).toEqual([]);
	});

	it('hold no key of the service', () => {
		expect(linesWith(/eak_(test|live)_[A-Za-z0-9]{16,}/)).toEqual([]);
	});

	it('name no folder of a machine', () => {
		expect(linesWith(ROOT)).toEqual([]);
		// /home/node is the home folder in n8n's own container.
		expect(linesWith(/(^|[\s"'`(=:])\/(work|root|workspace|Users|home\/(?!node\b))\//)).toEqual([]);
	});

	it('have lock files that name no place to fetch from', () => {
		const locks = [...trackedTexts()].filter(([file]) => file.endsWith('package-lock.json'));
		expect(locks.map(([file]) => file)).toContain('package-lock.json');
		for (const [, text] of locks) {
			const { packages } = JSON.parse(text) as { packages: Record<string, object> };
			expect(Object.values(packages).filter((entry) => 'resolved' in entry)).toEqual([]);
		}
	});

	it('have one package.json with the name of the package, which the scan looks for', () => {
		const named = [...trackedTexts()].filter(
			([file, text]) =>
				/(^|\/)package\.json$/.test(file) &&
				(JSON.parse(text) as { name?: string }).name === 'n8n-nodes-voice-speech',
		);
		expect(named.map(([file]) => file)).toEqual(['package.json']);
	});

	it('have nothing that the build or the demo makes', () => {
		const made = /^(dist|node_modules|reports|coverage|\.demo|\.hosts)\/|\.tgz$/;
		expect(trackedFiles.filter((file) => made.test(file))).toEqual([]);
	});
});
