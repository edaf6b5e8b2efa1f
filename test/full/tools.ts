/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

/** The development modules that the tests use. They are ES modules: see import-module.cjs. */
export type Tools = typeof import('../../demo/examples.mjs') &
	typeof import('../../demo/import.mjs') &
	typeof import('../../demo/sample.mjs') &
	typeof import('../../demo/setup.mjs') &
	typeof import('../../hosts/executions.mjs') &
	typeof import('../../hosts/explain.mjs') &
	typeof import('../../hosts/forms.mjs') &
	typeof import('../../hosts/install.mjs') &
	typeof import('../../hosts/package.mjs') &
	typeof import('../../hosts/ports.mjs') &
	typeof import('../../hosts/queue/cluster.mjs') &
	typeof import('../../hosts/record.mjs') &
	typeof import('../../hosts/rest.mjs') &
	typeof import('../../hosts/stamp.mjs') &
	typeof import('../../hosts/start.mjs') &
	typeof import('../../hosts/workflows.mjs') &
	typeof import('../queue/load/executions.mjs') &
	typeof import('../queue/load/facts.mjs') &
	typeof import('../queue/load/live.mjs') &
	typeof import('../queue/load/recordings.mjs') &
	typeof import('../queue/load/service.mjs') &
	typeof import('../queue/load/submit.mjs') &
	typeof import('../queue/load/watch.mjs') &
	typeof import('../queue/load/workflow.mjs');

const FILES = [
	...['examples', 'import', 'sample', 'setup'].map((name) => `demo/${name}`),
	...['executions', 'explain', 'forms', 'install', 'package', 'ports'].map(
		(name) => `hosts/${name}`,
	),
	...['queue/cluster', 'record', 'rest', 'stamp', 'start', 'workflows'].map(
		(name) => `hosts/${name}`,
	),
	...['executions', 'facts', 'live', 'recordings', 'service', 'submit', 'watch', 'workflow'].map(
		(name) => `test/queue/load/${name}`,
	),
];

export type { BinaryFile, Execution, Item } from '../../hosts/executions.mjs';
export type { Ending } from '../../hosts/forms.mjs';
export type { Rest } from '../../hosts/rest.mjs';
export type { Workflow } from '../../hosts/workflows.mjs';
export type { Demo } from '../../demo/setup.mjs';
export type { Cluster } from '../../hosts/queue/cluster.mjs';
export type { Facts } from '../queue/load/facts.mjs';
export type { Sample } from '../queue/load/watch.mjs';
export type { Service } from '../queue/load/service.mjs';

/** Loads them; jest must run with `--experimental-vm-modules`. */
export async function loadTools(): Promise<Tools> {
	const { default: load } = (await import('./import-module.cjs' as string)) as {
		default: (file: string) => Promise<object>;
	};
	const loaded: object[] = [];
	for (const file of FILES) loaded.push(await load(`${file}.mjs`));
	return Object.assign({}, ...loaded) as Tools;
}
