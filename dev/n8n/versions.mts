import { readdirSync } from 'node:fs';
import path from 'node:path';

import { root } from '../lib/root.cjs';

/** The n8n versions that have a folder here, the newest first. */
export const versions = readdirSync(path.join(root, 'dev/n8n'))
	.flatMap((name) => /^n8n-(.+)$/.exec(name)?.[1] ?? [])
	.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));

/** The version that the demo, the benchmarks and most tests of a real n8n run. */
export const [newest = ''] = versions;

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
