import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

import { root } from './root.cjs';

interface ServiceInterface {
	paths: Record<string, { post: { security: [{ apiKey: string[] }] } }>;
}

const text = readFileSync(path.join(root, 'docs/openapi.yaml'), 'utf8');
const { paths } = parse(text) as ServiceInterface;

/** An endpoint of docs/openapi.yaml, which has one operation. */
export interface Endpoint {
	/** The last part of the path, e.g. `speech-to-text`. */
	name: string;
	/** The scope that a key needs; undefined where it is not documented. */
	scope: string | undefined;
}

export const endpoints: Endpoint[] = Object.entries(paths).map(([endpointPath, { post }]) => ({
	name: endpointPath.replace('/ai/', ''),
	scope: post.security[0].apiKey[0],
}));
