import { readdirSync } from 'node:fs';

/** The n8n versions that have a folder here, the newest first. */
export const versions = readdirSync(new URL('.', import.meta.url))
	.flatMap((name) => /^n8n-(.+)$/.exec(name)?.[1] ?? [])
	.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));

/** The version that the demo, the benchmarks and most tests run. */
export const [newest = ''] = versions;

/**
 * @param {string} version of any n8n
 * @returns {string} the most similar version that has a folder here: of the same major version if there is one
 */
export function closestTo(version) {
	const place = placeOf(version);
	const distance = (/** @type {string} */ other) => Math.abs(placeOf(other) - place);
	return versions.reduce((best, other) => (distance(other) < distance(best) ? other : best));
}

/** @param {string} version @returns {number} grows with the version; major versions are far from each other */
function placeOf(version) {
	const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number.parseFloat);
	return major * 1_000_000 + minor * 1_000 + patch;
}
