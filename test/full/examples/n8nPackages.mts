import { createRequire } from 'node:module';

import { root } from '../../../dev/lib/root.cjs';
import { newest } from '../../../dev/n8n/versions.mts';

/** Loads a package of the n8n that runs the examples, so that this repository needs no copy. */
export function requireOfN8n<T>(name: string): T {
	const n8n = `${root}/.n8n-versions/n8n-${process.env.TEST_N8N ?? newest}/package.json`;
	return createRequire(n8n)(name) as T;
}
