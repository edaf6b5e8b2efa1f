// The modules that tests written in TypeScript use.
export * from '../../dev/bench/process.mts';
export { cloneVoice } from '../../dev/demo/emulator.mts';
export * from '../../dev/demo/examples.mts';
export * from '../../dev/demo/outside/feed.mts';
export * from '../../dev/demo/outside/model.mts';
export * from '../../dev/demo/outside/server.mts';
export * from '../../dev/demo/samples.mts';
export * from '../../dev/demo/setup.mts';
export * from '../../dev/demo/try.mts';
export { DEFAULT_SETTINGS } from '../../dev/emulator/settings.mts';
export * from '../../dev/n8n/define.mts';
export * from '../../dev/n8n/executions.mts';
export * from '../../dev/n8n/explain.mts';
export * from '../../dev/n8n/forms.mts';
export * from '../../dev/n8n/install.mts';
export * from '../../dev/lib/ports.mts';
export * from '../../dev/n8n/queue/cluster.mts';
export * from '../../dev/n8n/queue/postgres.mts';
export * from '../../dev/n8n/queue/server.mts';
export * from '../../dev/n8n/rest.mts';
export * from '../../dev/n8n/versions.mts';
export * from '../../dev/n8n/workflows.mts';
export * from '../queue/load/recordings.mts';
export * from '../queue/load/service.mts';
export * from '../queue/load/submit.mts';
export * from '../queue/load/workflow.mts';

// Several of these modules have names of their own for these types.
export type { Cluster } from '../../dev/n8n/queue/cluster.mts';
export type { Rest } from '../../dev/n8n/rest.mts';
export type { Workflow } from '../../dev/n8n/workflows.mts';
