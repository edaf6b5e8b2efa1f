// How fast n8n responds to others while it works.
import { setTimeout as sleep } from 'node:timers/promises';

import type { Rest } from '../n8n/rest.mts';
import { putWorkflow, runWorkflow } from '../n8n/workflows.mts';
import { createWaitingWorkflow } from './nodes.mts';

/** The longest times that n8n took while a node ran. */
export interface ResponseTimes {
	/** From a request to `/healthz` to its response. */
	healthSeconds: number;
	/** From a request to cancel another execution to its response, which n8n sends once that execution has ended. */
	cancelSeconds: number;
}

/** Executions that wait to be canceled. */
const spareExecutions = 5;

interface Period {
	/** In ms since 1970. */
	from: number;
	to: number;
}

async function measure(action: Promise<unknown>): Promise<Period> {
	const from = Date.now();
	await action;
	return { from, to: Date.now() };
}

/**
 * Measures the same again and again.
 *
 * @returns a function that stops, and returns the longest of the measured times that overlap a period, in seconds
 */
function repeat(
	takeTime: () => Promise<Period>,
	pauseMs: number,
): (period: Period) => Promise<number> {
	const times: Period[] = [];
	let isRunning = true;
	const takeTimes = async () => {
		while (isRunning) {
			times.push(await takeTime());
			await sleep(pauseMs);
		}
	};
	const running = takeTimes();
	return async ({ from, to }) => {
		isRunning = false;
		await running;
		const during = times.filter((time) => time.to >= from && time.from <= to);
		return Math.max(...during.map((time) => time.to - time.from)) / 1_000;
	};
}

/**
 * Starts to measure how fast n8n responds.
 *
 * @returns a function that stops, and returns what was measured during a period
 */
export async function watchResponses(
	rest: Rest,
): Promise<(period: Period) => Promise<ResponseTimes>> {
	const workflow = createWaitingWorkflow();
	const { id } = await putWorkflow(rest, workflow);
	const endHealth = repeat(async () => await measure(rest.get('/healthz')), 20);
	// They are started in advance, because n8n may take long to start one while it works.
	const executions: Array<Promise<string>> = [];
	const startExecution = () => executions.push(runWorkflow(rest, { ...workflow, id }, 'Start'));
	for (let count = 0; count < spareExecutions; count++) startExecution();
	await Promise.all(executions);
	const endCancel = repeat(async () => {
		const execution = await executions.shift();
		startExecution();
		return await measure(rest.call('POST', `/executions/${execution}/stop`));
	}, 200);
	return async (period) => ({
		healthSeconds: await endHealth(period),
		cancelSeconds: await endCancel(period),
	});
}
