/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

export type * from './modules.mjs';
export type Tools = typeof import('./modules.mjs');

/** Loads the ES modules that the tests use. */
export async function loadTools(): Promise<Tools> {
	const { default: load } = (await import('./load-tools.cjs' as string)) as {
		default: () => Promise<Tools>;
	};
	return await load();
}
