/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

export type * from './modules.mts';
export type Tools = typeof import('./modules.mts');
export const loadTools = async (): Promise<Tools> => await import('./modules.mts');
