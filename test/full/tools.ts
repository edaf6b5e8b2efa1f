/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

/** The development modules that the tests use. They are ES modules: see import-module.cjs. */
export type Tools = typeof import('../../dev/demo/examples.mjs') &
	typeof import('../../dev/demo/import.mjs') &
	typeof import('../../dev/demo/outside/feed.mjs') &
	typeof import('../../dev/demo/outside/model.mjs') &
	typeof import('../../dev/demo/sample.mjs') &
	typeof import('../../dev/demo/samples.mjs') &
	typeof import('../../dev/demo/setup.mjs') &
	typeof import('../../dev/demo/try.mjs') &
	typeof import('../../dev/n8n/executions.mjs') &
	typeof import('../../dev/n8n/explain.mjs') &
	typeof import('../../dev/n8n/forms.mjs') &
	typeof import('../../dev/n8n/install.mjs') &
	typeof import('../../dev/n8n/package.mjs') &
	typeof import('../../dev/n8n/ports.mjs') &
	typeof import('../../dev/n8n/queue/cluster.mjs') &
	typeof import('../../dev/n8n/record.mjs') &
	typeof import('../../dev/n8n/rest.mjs') &
	typeof import('../../dev/n8n/stamp.mjs') &
	typeof import('../../dev/n8n/start.mjs') &
	typeof import('../../dev/n8n/workflows.mjs') &
	typeof import('./examples/mail.mjs') &
	typeof import('./examples/mailbox.mjs') &
	typeof import('../queue/load/executions.mjs') &
	typeof import('../queue/load/facts.mjs') &
	typeof import('../queue/load/recordings.mjs') &
	typeof import('../queue/load/service.mjs') &
	typeof import('../queue/load/submit.mjs') &
	typeof import('../queue/load/workflow.mjs');

const FILES = [
	...['examples', 'import', 'outside/feed', 'outside/model'].map((name) => `dev/demo/${name}`),
	...['sample', 'samples', 'setup', 'try'].map((name) => `dev/demo/${name}`),
	...['executions', 'explain', 'forms', 'install', 'package', 'ports'].map(
		(name) => `dev/n8n/${name}`,
	),
	...['queue/cluster', 'record', 'rest', 'stamp', 'start', 'workflows'].map(
		(name) => `dev/n8n/${name}`,
	),
	...['mail', 'mailbox'].map((name) => `test/full/examples/${name}`),
	...['executions', 'facts', 'recordings', 'service', 'submit', 'workflow'].map(
		(name) => `test/queue/load/${name}`,
	),
];

export type { BinaryFile, Execution, Item } from '../../dev/n8n/executions.mjs';
export type { Ending } from '../../dev/n8n/forms.mjs';
export type { Rest } from '../../dev/n8n/rest.mjs';
export type { Workflow } from '../../dev/n8n/workflows.mjs';
export type { Delivery } from '../../dev/demo/outside/server.mjs';
export type { Demo } from '../../dev/demo/setup.mjs';
export type { MailServer } from './examples/mail.mjs';
export type { Mailbox } from './examples/mailbox.mjs';
export type { Cluster } from '../../dev/n8n/queue/cluster.mjs';
export type { Facts } from '../queue/load/facts.mjs';
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
