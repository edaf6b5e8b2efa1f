import { readdirSync } from 'node:fs';
import path from 'node:path';

import { UserFacingError } from '../lib/errors.mts';
import { root } from '../lib/root.cjs';

/** The n8n versions that have a folder here, the newest first. */
export const versions = readdirSync(path.join(root, 'dev/n8n'))
	.flatMap((name) => /^n8n-(.+)$/.exec(name)?.[1] ?? [])
	.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));

/** The version that the demo, the benchmarks and most tests of a real n8n run. */
export const [newest = ''] = versions;

/** What a change is tested on; `npm run test:n8n` tests the others once a week and before a release. */
export const testedVersions = versions.filter((version) => Number.parseInt(version) >= 2);

export const oldestTested = testedVersions.at(-1)!;

/**
 * @param version of any n8n
 * @returns the most similar version that has a folder here, with the same major version if there is one
 */
export function findClosestVersion(version: string): string {
	const measureDistance = (other: string) => Math.abs(rankVersion(other) - rankVersion(version));
	return versions.reduce((best, other) =>
		measureDistance(other) < measureDistance(best) ? other : best,
	);
}

/** @returns a number that grows with the version; major versions are far from each other */
function rankVersion(version: string): number {
	const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number.parseFloat);
	return major * 1_000_000 + minor * 1_000 + patch;
}

/**
 * Fails if n8n has released a major version that npm does not have: n8n 3 and later are not on npm as a program, so tests
 * of npm's newest version would say nothing about what users of the image get.
 *
 * @param onNpm the newest version on npm
 * @param released the tag of n8n's newest release, such as `n8n@2.41.1`, which the image has too
 * @throws {UserFacingError} also if the tag has no version
 */
export function checkNewestMajor(onNpm: string, released: string): void {
	const [, version, major] = /((\d+)\.\d+\.\d+\S*)$/.exec(released) ?? [];
	const advice = 'docs/development/compatibility.md, "When a new n8n breaks something"';
	if (version === undefined) {
		throw new UserFacingError(`n8n's newest release is not known: "${released}" (${advice}).`);
	}
	if (Number(major) > Number.parseInt(onNpm)) {
		throw new UserFacingError(`n8n ${version} is released, but npm has only ${onNpm}: ${advice}.`);
	}
}
