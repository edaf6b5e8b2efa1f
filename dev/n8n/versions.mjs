import { readdirSync } from 'node:fs';

/** The n8n versions that have a folder here, the newest first. */
export const versions = readdirSync(new URL('.', import.meta.url))
	.flatMap((name) => /^n8n-(.+)$/.exec(name)?.[1] ?? [])
	.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));

/** The version that the demo, the benchmarks and most tests run. */
export const [newest = ''] = versions;
