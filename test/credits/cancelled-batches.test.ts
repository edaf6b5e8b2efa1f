import { sleep } from 'n8n-workflow';

import { callWav, speechToText, useNode } from '../support/node';
import { json, type Answer } from '../support/recorder';
import { after, ask, batches, modes, numbered, upTo, type Mode } from './till';

const node = useNode();

const silence: Answer = () => {};

const count = 4;

/** Milliseconds between two batches: n8n itself waits for all of them, cancelled or not. */
const interval = 300;

/** Cancels the execution in the middle of its first batch, and gives how long n8n then took to end it. */
async function cancelled(answer: Answer, mode: Mode, batchSize: number, options = {}) {
	node.service.answer = answer;
	let cancelledAt = 0;
	const run = await node.engine.run({
		parameters: { ...ask, ...batches(batchSize, interval), options },
		items: numbered(count),
		credential: node.credential(),
		node: modes[mode],
		onStart: (cancel) =>
			void (async () => {
				while (node.service.arrived === 0) await sleep(5);
				await sleep(interval / 3);
				cancelledAt = Date.now();
				cancel();
			})(),
	});
	const took = Date.now() - cancelledAt;
	await sleep(interval);
	return { status: run.status, took, arrived: node.service.arrived };
}

describe.each(['stop', 'continue', 'error output'] as const)('mode %s', (mode) => {
	it.each([
		['a silent service', silence, {}],
		['a slow service', after(interval * 2, json({})), {}],
		['one call at a time', silence, { concurrency: 1 }],
		['a call that waits to be sent again', json({}, 429, { 'Retry-After': '60' }), {}],
	])(
		'a run that is cancelled before its later batches come ends soon: %s',
		async (_what, answer, options) => {
			for (const batchSize of [1, 3]) {
				node.service.reset();
				const { status, took, arrived } = await cancelled(answer, mode, batchSize, options);
				expect(status).toBe('canceled');
				// Ample: what must not happen is that it never ends.
				expect(took).toBeLessThan(count * interval + 5000);
				// Nothing of the later batches is sent.
				expect(arrived).toBeLessThanOrEqual(batchSize);
			}
		},
	);
});

it('a run that is cancelled while a later batch opens its audio ends soon', async () => {
	node.service.answer = silence;
	const items = await Promise.all(
		upTo(3).map(async () => await node.engine.item({}, { data: callWav })),
	);
	let cancelledAt = 0;
	const run = await node.engine.run({
		parameters: { ...speechToText, ...batches(1, interval) },
		items,
		credential: node.credential(),
		onStart: (cancel) =>
			void sleep(interval * 1.5).then(() => {
				cancelledAt = Date.now();
				cancel();
			}),
	});
	expect(run.status).toBe('canceled');
	expect(Date.now() - cancelledAt).toBeLessThan(3 * interval + 5000);
});
