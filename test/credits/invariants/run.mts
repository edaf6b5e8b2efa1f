import fc, { type Scheduler } from 'fast-check';
import { sleep, type IExecuteFunctions, type INodeParameters, type INodeType } from 'n8n-workflow';
import { setImmediate } from 'node:timers/promises';

import { enableBatching, enableRetryOnFail } from '../../support/calls.mts';
import { createDeclarativeNode, Engine, type RunInput } from '../../support/engine.mts';
import { ScriptedServer } from '../../support/servers/scriptedServer.mts';
import { createExtraFields, numberedTextParameters } from '../../support/nodeParameters.mts';
import { findViolations } from './checks.mts';
import { PendingWork } from './pendingWork.mts';
import type { RunRecord, Try } from './record.mts';
import { batchInterval, maxRetryWaitSeconds, scenario, type Scenario } from './scenario.mts';
import { createMarker, Simulation } from './simulation.mts';

/*
 * scenario.ts describes what may happen in a node run, except for its order. simulation.ts has the service and the
 * server of the audio, which hold every request. fast-check's scheduler chooses what happens next. Before each action,
 * everything that the one before caused has arrived. record.ts has what was observed of the run, and checks.ts what
 * must hold.
 */

/**
 * Adds a test of the invariants over random interleavings.
 *
 * @param usual how many, if the environment variable INTERLEAVINGS specifies no number
 * @param seed chooses them, if the environment variable SEED specifies none; without both, they differ in each run
 */
export function testInterleavings(usual: number, seed?: number): void {
	const count = Number(process.env.INTERLEAVINGS ?? usual);
	const { SEED } = process.env;
	const chosenSeed = SEED === undefined ? seed : Number(SEED);
	// One takes about 0.04 s, and 0.1 s on a busy machine.
	const timeoutMs = 60_000 + count * 2_000;
	const test = async () => await assertInvariants(count, chosenSeed);
	it(`keeps the promises about credits in ${count} random interleavings`, test, timeoutMs);
}

/** What must happen in some scenarios. Otherwise, the rules about it would hold for lack of a case. */
const cases: Record<string, (record: RunRecord) => boolean> = {
	'a back-off': ({ backOffs }) => backOffs.length > 0,
	'a refused key': ({ failures }) => failures.some(({ refusedKey }) => refusedKey !== undefined),
	'a second try': ({ tries }) => tries.length > 1,
	'a second try after a response that cannot be used': ({ calls, tries }) =>
		calls.some(
			({ response, try: inTry }) => response?.kind === 'unusable' && inTry < tries.length - 1,
		),
	'a cancellation': ({ canceled }) => canceled !== undefined,
	'a failure that stops the run': (record) => record.stopsOnFailure && record.failures.length > 0,
	'as many calls as Concurrency allows': ({ calls, scenario: { concurrency } }) =>
		concurrency > 1 && calls.some(({ inProgress }) => inProgress === concurrency),
};

/** Among this many random scenarios, each case occurs. */
const minScenariosWithAll = 100;

/** Turns of the event loop without anything new, after which the process counts as idle. */
const idleTurns = 20;

/**
 * How often in a row a run may be found idle without an action. Each time takes at least a millisecond, so all take longer
 * than every wait in a scenario. They are counted, because a busy machine may stop the process for any time.
 */
const maxIdleRounds = 1000;

/** Resolves once nothing more happens without another action. Node and service share this thread and its turns. */
async function waitUntilIdle(simulation: Simulation): Promise<void> {
	let idleFor = 0;
	let idleSince = performance.now();
	let seen = simulation.activity;
	while (idleFor < idleTurns) {
		await setImmediate();
		idleFor++;
		if (simulation.activity === seen && !simulation.pendingWork.exists) continue;
		idleFor = 0;
		idleSince = performance.now();
		seen = simulation.activity;
	}
	simulation.onIdle(idleSince);
}

function createParameters(scenario: Scenario): INodeParameters {
	const { batchSize, concurrency, rateLimitRetries } = scenario;
	const parameters: INodeParameters = {
		...numberedTextParameters,
		inputType: '={{ $json.inputType }}',
		text: '={{ $json.throws ? $("Nowhere").item.json.x : $json.text }}',
		audioSource: 'url',
		audioUrl: '={{ $json.url }}',
		options: { concurrency, maxRetryWaitSeconds, rateLimitRetries },
	};
	if (scenario.changesRequests) {
		const value = '={{ String(Math.random()) }}';
		Object.assign(parameters, createExtraFields({ name: 'changes', value }));
	}
	if (batchSize > 0) Object.assign(parameters, enableBatching(batchSize, batchInterval));
	return parameters;
}

/** The node, with a record of each of its executions. */
function observeNode(node: INodeType, simulation: Simulation): INodeType {
	const { record } = simulation;
	const operation = node.customOperations!.language!.analyzeSentiment!;
	const observe = async function (this: IExecuteFunctions) {
		// A call that the last try sent just before its end may arrive after it. It counts for the try that sent it.
		if (record.tries.length > 0) await waitUntilIdle(simulation);
		const one: Try = { end: undefined, items: [], error: undefined };
		record.tries.push(one);
		simulation.touch();
		try {
			const output = await operation.call(this);
			// n8n empties the array later.
			if (Array.isArray(output)) one.items = [...(output[0] ?? [])];
			return output;
		} catch (error) {
			one.error = error as Try['error'];
			return await Promise.reject(error);
		} finally {
			one.end = record.step;
			simulation.touch();
		}
	};
	const customOperations = { language: { analyzeSentiment: observe } };
	return Object.create(node, { customOperations: { value: customOperations } }) as INodeType;
}

function createInput(simulation: Simulation, baseUrl: string, node: INodeType): RunInput {
	const { onError, maxTries, items } = simulation.record.scenario;
	const retrySettings = maxTries > 1 ? enableRetryOnFail(maxTries) : {};
	return {
		parameters: createParameters(simulation.record.scenario),
		items: items.map(({ input }, item) => ({
			json: {
				inputType: input === 'audio' ? 'audio' : 'text',
				text: createMarker(item),
				url: `${baseUrl}/audio/${item}`,
				throws: input === 'throws',
			},
		})),
		credential: (item) => ({
			apiKey: simulation.record.keys[item]!,
			environment: 'sandbox',
			baseUrl,
		}),
		node: { onError, ...retrySettings },
		nodeType: observeNode(node, simulation),
		onStart: (cancel) => {
			simulation.cancel = cancel;
		},
	};
}

/** Runs a scenario, with everything in the order that the scheduler chooses. */
async function run(
	engine: Engine,
	simulation: Simulation,
	input: RunInput,
	scheduler: Scheduler,
): Promise<RunRecord> {
	const { record } = simulation;
	simulation.scheduleEvents();
	const running = engine.run(input).then((output) => {
		record.output = output;
		simulation.touch();
	});
	let idleRounds = 0;
	await waitUntilIdle(simulation);
	while (record.output === undefined || scheduler.count() > 0 || simulation.isPaused) {
		if (scheduler.count() > 0) {
			await scheduler.waitOne();
			idleRounds = 0;
		} else {
			// A back-off, a pause between batches, or one between tries.
			await sleep(1);
			idleRounds++;
			// The checks find a run without output.
			if (idleRounds > maxIdleRounds) return record;
		}
		await waitUntilIdle(simulation);
	}
	await running;
	return record;
}

/**
 * Checks the invariants over random interleavings. `SEED` repeats all of them, and with `REPLAY`, the path that fast-check
 * prints, only the one that failed:
 * SEED=... REPLAY=... npx jest test/credits/invariants
 *
 * Only the batches of n8n's Batching and the ends of back-offs depend on the clock, so a scenario with them can differ
 * slightly from one repetition to the next.
 */
async function assertInvariants(runs: number, seed: number | undefined): Promise<void> {
	const server = await ScriptedServer.start();
	const pendingWork = new PendingWork();
	const engine = await Engine.start('default');
	const node = createDeclarativeNode();
	const { REPLAY } = process.env;
	const settings: fc.Parameters<[Scenario, Scheduler]> = { numRuns: runs };
	if (seed !== undefined) settings.seed = seed;
	if (REPLAY !== undefined) settings.path = REPLAY;
	let scenarios = 0;
	const missing = new Set(Object.keys(cases));
	try {
		await fc.assert(
			fc.asyncProperty(scenario, fc.scheduler(), async (one, scheduler) => {
				const simulation = new Simulation(one, scheduler, pendingWork);
				// No request may arrive after the end of its scenario, so each scenario has a path of its own.
				scenarios++;
				const own = String(scenarios);
				let lateRequests = 0;
				server.intercept = (request, response) => {
					response.on('error', () => {});
					const [, path, kind, item] = String(request.url).split('/');
					if (path !== own) {
						lateRequests++;
						response.destroy();
					} else if (kind === 'audio') {
						simulation.receiveOpening(Number(item), response);
					} else {
						simulation.receiveCall(request, response);
					}
					return true;
				};
				const input = createInput(simulation, `${server.baseUrl}/${own}`, node);
				const record = await run(engine, simulation, input, scheduler);
				expect(findViolations(record)).toEqual([]);
				expect(lateRequests).toBe(0);
				for (const [name, occurs] of Object.entries(cases)) {
					if (occurs(record)) missing.delete(name);
				}
			}),
			settings,
		);
		if (scenarios >= minScenariosWithAll) expect([...missing]).toEqual([]);
	} finally {
		pendingWork.stop();
		await server.stop();
	}
}
