/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import type { Scheduler } from 'fast-check';
import { sleep, type IExecuteFunctions, type INodeParameters, type INodeType } from 'n8n-workflow';
import { setImmediate } from 'node:timers/promises';

import type { Engine, RunInput } from '../../support/engine';
import { credentialFor } from './credentials';
import { History, type Try } from './history';
import { batchInterval, type Scene } from './scene';
import { markerOf, type ScriptedService } from './scriptedService';
import { Stage } from './stage';

/** Turns of the event loop without anything new, after which the process counts as idle. */
const idleTurns = 40;

/** How long a run may do nothing, in ms: more than every wait in a scene. */
const longestPause = 2000;

/** All that was started has arrived: node and service share this thread, so its turns are the measure. */
async function idle(stage: Stage): Promise<void> {
	for (let turns = 0, seen = stage.activity; turns < idleTurns; turns++) {
		await setImmediate();
		if (stage.activity === seen) continue;
		turns = 0;
		seen = stage.activity;
	}
	if (!stage.hasTimers) return;
	// A try began or ended: the node and n8n wait for the next timer then.
	stage.hasTimers = false;
	await sleep(2);
	await idle(stage);
}

function parametersOf(scene: Scene): INodeParameters {
	const { batchSize, concurrency, rateLimitRetries, allowedEnvironment, items } = scene;
	return {
		resource: 'language',
		operation: 'analyzeSentiment',
		allowedEnvironment:
			allowedEnvironment === 'expression' ? '={{ $json.allowed }}' : allowedEnvironment,
		inputType: '={{ $json.inputType }}',
		text: '={{ $json.text }}',
		audioSource: 'url',
		audioUrl: '={{ $json.url }}',
		...(items.some(({ input }) => input === 'throws')
			? { language: '={{ $json.throws ? $("Nowhere").item.json.x : "" }}' }
			: {}),
		options: { concurrency, rateLimitRetries },
		...(batchSize > 0
			? { requestOptions: { batching: { batch: { batchSize, batchInterval } } } }
			: {}),
	};
}

/** The node, and a record of each of its executions. */
function observed(node: INodeType, stage: Stage): INodeType {
	const { history } = stage;
	const observing = Object.create(node) as INodeType;
	observing.execute = async function (this: IExecuteFunctions) {
		const one: Try = { step: history.step, endStep: undefined, items: [], error: undefined };
		history.tries.push(one);
		stage.touchTimers();
		try {
			const output = (await node.execute?.call(this)) as Awaited<
				ReturnType<NonNullable<INodeType['execute']>>
			>;
			// n8n empties the array later.
			if (Array.isArray(output)) one.items = [...(output[0] ?? [])];
			return output;
		} catch (error) {
			one.error = error as Try['error'];
			return await Promise.reject(error);
		} finally {
			one.endStep = history.step;
			stage.touchTimers();
		}
	};
	return observing;
}

function inputOf(stage: Stage, baseUrl: string, node: INodeType): RunInput {
	const { history } = stage;
	const { scene } = history;
	return {
		parameters: parametersOf(scene),
		items: scene.items.map(({ input, allowed }, item) => ({
			json: {
				allowed,
				inputType: input === 'audio' ? 'audio' : 'text',
				text: input === 'empty' ? '' : markerOf(item),
				url: `${baseUrl}/audio/${item}`,
				throws: input === 'throws',
			},
		})),
		credential: (item) => credentialFor(history, item, baseUrl),
		node: {
			onError: scene.onError,
			// n8n takes 0 for its default of a second.
			...(scene.maxTries > 1
				? { retryOnFail: true, maxTries: scene.maxTries, waitBetweenTries: 1 }
				: {}),
		},
		nodeType: observed(node, stage),
		onStart: (cancel) => (stage.cancel = cancel),
	};
}

/** Runs a scene, with everything in the order that the scheduler chooses. */
export async function play(
	scene: Scene,
	scheduler: Scheduler,
	{ engine, service, node }: { engine: Engine; service: ScriptedService; node: INodeType },
): Promise<History> {
	const stage = new Stage(scene, scheduler);
	const { history } = stage;
	const baseUrl = service.begin(stage);
	stage.scheduleEvents();
	const running = engine.run(inputOf(stage, baseUrl, node)).then((output) => {
		history.output = output;
		stage.touch();
	});
	let lastAction = Date.now();
	await idle(stage);
	while (history.output === undefined || scheduler.count() > 0 || stage.journal.isTimeLeft()) {
		if (scheduler.count() > 0) {
			await scheduler.waitOne();
			lastAction = Date.now();
		} else {
			// A back-off, a pause between batches, or one between tries.
			await sleep(1);
			// The checks find a run without output.
			if (Date.now() - lastAction > longestPause) return history;
		}
		await idle(stage);
	}
	await running;
	return history;
}
