import { parse } from 'yaml';

import { read } from './repository';

interface Operation {
	operationId: string;
	tags: [string];
	security: [{ apiKey: [string?] }];
	requestBody: { $ref?: string };
}

const { paths } = parse(read('docs/openapi.yaml')) as {
	paths: Record<string, { post: Operation }>;
};

/** The operations of docs/openapi.yaml, which has the names that the node gives to operations and resources. */
export const ENDPOINTS = Object.entries(paths).map(([path, { post }]) => ({
	path,
	resource: post.tags[0],
	operation: post.operationId,
	/** The scope that a key needs; undefined where it is not documented. */
	scope: post.security[0].apiKey[0],
}));

/** The operations whose request and response are not documented. */
export const UNDOCUMENTED = Object.values(paths)
	.filter(({ post }) => post.requestBody.$ref === '#/components/requestBodies/NotShown')
	.map(({ post }) => post.operationId);
