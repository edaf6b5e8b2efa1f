// The ES modules that tests written in TypeScript use.
export * from '../../dev/bench/process.mjs';
export { cloneVoice } from '../../dev/demo/emulator.mjs';
export * from '../../dev/demo/examples.mjs';
export * from '../../dev/demo/outside/feed.mjs';
export * from '../../dev/demo/outside/model.mjs';
export * from '../../dev/demo/outside/server.mjs';
export * from '../../dev/demo/samples.mjs';
export * from '../../dev/demo/setup.mjs';
export * from '../../dev/demo/try.mjs';
export { DEFAULT_SETTINGS } from '../../dev/emulator/settings.mjs';
export * from '../../dev/n8n/define.mjs';
export * from '../../dev/n8n/executions.mjs';
export * from '../../dev/n8n/explain.mjs';
export * from '../../dev/n8n/forms.mjs';
export * from '../../dev/n8n/install.mjs';
export * from '../../dev/n8n/ports.mjs';
export * from '../../dev/n8n/queue/cluster.mjs';
export * from '../../dev/n8n/queue/postgres.mjs';
export * from '../../dev/n8n/queue/server.mjs';
export * from '../../dev/n8n/rest.mjs';
export * from '../../dev/n8n/versions.mjs';
export * from '../../dev/n8n/workflows.mjs';
export * from '../queue/load/recordings.mjs';
export * from '../queue/load/service.mjs';
export * from '../queue/load/submit.mjs';
export * from '../queue/load/workflow.mjs';

// Several of these modules have names of their own for these types.
/** @typedef {import('../../dev/n8n/queue/cluster.mjs').Cluster} Cluster */
/** @typedef {import('../../dev/n8n/rest.mjs').Rest} Rest */
/** @typedef {import('../../dev/n8n/workflows.mjs').Workflow} Workflow */
