import { sleep, type INodeParameters } from 'n8n-workflow';

import { speechToText, useNode } from '../support/node';
import { expectNothingDebited, outcomesOf } from '../support/outcome';
import { bytes, json, Recorder, type RecordedRequest } from '../support/recorder';
import { wav } from '../support/recordings';
import { after, batches, modes, upTo } from './till';

const node = useNode();

/** How long the source of the audio takes to respond, in ms; the first item's audio comes at once. */
const slow = 700;

let source: Recorder;

beforeAll(async () => (source = await Recorder.start()));
afterAll(async () => await source.stop());
beforeEach(() => {
	source.reset((request, ...rest) => {
		const audio = bytes(wav(), 'audio/wav');
		(numberIn(request.url) === 0 ? audio : after(slow, audio))(request, ...rest);
	});
});

function numberIn(url: string): number {
	return Number(/(\d+)\.wav/.exec(url)?.[1]);
}

/** Each item's audio has its number as its name; 'Language' tells the service the number, too. */
function parameters(more: INodeParameters = {}): INodeParameters {
	return {
		...speechToText,
		audioSource: 'url',
		audioUrl: `=${source.baseUrl}/{{ $json.number }}.wav`,
		language: '={{ $json.number }}',
		...more,
	};
}

const items = (count: number) =>
	upTo(count).map((number) => ({ json: { number: String(number) } }));

function itemOf({ parts }: RecordedRequest): number {
	return Number(parts.find(({ name }) => name === 'language')?.body);
}

/** The service: how it responds to each item, and when each item arrived. */
function serve(respond: (item: number, before: number) => ReturnType<typeof json>) {
	const calls: Array<{ item: number; at: number }> = [];
	node.service.answer = (request, response, index) => {
		const item = itemOf(request);
		const before = calls.filter((call) => call.item === item).length;
		calls.push({ item, at: Date.now() });
		respond(item, before)(request, response, index);
	};
	return calls;
}

const numbers = (calls: Array<{ item: number }>) => calls.map(({ item }) => item);

describe('audio that opens only after another item failed', () => {
	it.each([400, 402])('is not sent after a %i, without continue', async (status) => {
		const calls = serve((item) => json({ message: 'No.' }, item === 0 ? status : 200));
		const { items: out, error } = await node.run(parameters(), { items: items(4) });
		expect(out).toEqual([]);
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		await sleep(slow);
		expect(numbers(calls)).toEqual([0]);
		expect(node.service.arrived).toBe(1);
	});

	it.each(['continue', 'error output'] as const)(
		'is not sent after a 401 or 402, with %s',
		async (mode) => {
			for (const status of [401, 402]) {
				const calls = serve((item) => json({ message: 'No.' }, item === 0 ? status : 200));
				const output = await node.run(parameters(), { items: items(4), node: modes[mode] });
				const errors = outcomesOf(output).map(({ error }) => error);
				expect(errors).toHaveLength(4);
				for (const error of errors.slice(1)) expectNothingDebited(error);
				expect(numbers(calls)).toEqual([0]);
			}
		},
	);

	it.each(['stop', 'continue'] as const)(
		'is not sent if it is opened only after the failure, mode %s',
		async (mode) => {
			const calls = serve((item) => json({}, item === 0 ? 402 : 200));
			const options = { concurrency: 2 };
			await node.run(parameters({ options }), { items: items(4), node: modes[mode] });
			expect(numbers(calls)).toEqual([0]);
		},
	);

	it('is sent after a failure of another kind, with continue', async () => {
		const calls = serve((item) => json({}, item === 0 ? 400 : 200));
		const output = await node.run(parameters(), { items: items(4), node: modes.continue });
		expect(numbers(calls).sort()).toEqual([0, 1, 2, 3]);
		expect(outcomesOf(output).map(({ error }) => error !== undefined)).toEqual([
			...[true, false, false, false],
		]);
	});

	it('is not sent after the audio of another item could not be opened, without continue', async () => {
		const calls = serve(() => json({}));
		source.answer = (request, ...rest) => {
			const isFirst = numberIn(request.url) === 0;
			(isFirst ? json({}, 404) : after(300, bytes(wav(), 'audio/wav')))(request, ...rest);
		};
		const { error } = await node.run(parameters(), { items: items(4) });
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		await sleep(500);
		expect(calls).toEqual([]);
	});

	it('is not sent after a failure in an earlier batch', async () => {
		const calls = serve((item) => after(200, json({}, item === 0 ? 402 : 200)));
		const output = await node.run(parameters(batches(1, 50)), {
			items: items(3),
			node: modes.continue,
		});
		expect(outcomesOf(output)).toHaveLength(3);
		expect(numbers(calls)).toEqual([0]);
	});

	it('is not sent after the execution was cancelled', async () => {
		const calls = serve(() => json({}));
		const run = await node.engine.run({
			parameters: parameters(),
			items: items(4).slice(1),
			credential: node.credential(),
			onStart: (cancel) => void sleep(slow / 2).then(cancel),
		});
		expect(run.status).toBe('canceled');
		await sleep(slow);
		expect(calls).toEqual([]);
	});
});

describe('audio that opens while another call waits to be sent again', () => {
	const wait = 1;

	it.each(['stop', 'continue'] as const)('is not sent during the wait, mode %s', async (mode) => {
		const busy = json({}, 429, { 'Retry-After': String(wait) });
		const calls = serve((item, before) => (item === 0 && before === 0 ? busy : json({})));
		const output = await node.run(parameters(), { items: items(4), node: modes[mode] });
		expect(outcomesOf(output).filter(({ error }) => error !== undefined)).toEqual([]);
		expect(numbers(calls).sort()).toEqual([0, 0, 1, 2, 3]);
		const [first, ...later] = calls.map(({ at }) => at);
		for (const at of later) expect(at - (first ?? 0)).toBeGreaterThanOrEqual(wait * 1000 - 50);
	});

	it('is not sent during a second wait', async () => {
		const busy = json({}, 503, { 'Retry-After': '1' });
		const calls = serve((item, before) => (item === 0 && before < 2 ? busy : json({})));
		source.answer = (request, ...rest) => {
			const audio = bytes(wav(), 'audio/wav');
			// Opens in the middle of the second wait.
			(numberIn(request.url) === 0 ? audio : after(1500, audio))(request, ...rest);
		};
		const output = await node.run(parameters(), { items: items(3) });
		expect(outcomesOf(output)).toHaveLength(3);
		const first = calls[0]?.at ?? 0;
		for (const { item, at } of calls) {
			if (item !== 0) expect(at - first).toBeGreaterThanOrEqual(1950);
		}
	});

	it('is not sent if the wait ends in a failure that ends the run', async () => {
		const busy = json({}, 429, { 'Retry-After': '1' });
		const calls = serve((item, before) =>
			item === 0 ? (before === 0 ? busy : json({}, 402)) : json({}),
		);
		const output = await node.run(
			{ ...parameters(), options: { concurrency: 4 } },
			{ items: items(4), node: modes.continue },
		);
		expect(outcomesOf(output)).toHaveLength(4);
		// The others and the second try may start together when the wait ends.
		expect(numbers(calls).filter((item) => item === 0)).toHaveLength(2);
		for (const { item, at } of calls) {
			if (item !== 0) expect(at - (calls[0]?.at ?? 0)).toBeGreaterThanOrEqual(950);
		}
	});
});

it('never more calls than the concurrency, although the audio of all items opens together', async () => {
	const calls = serve(() => after(50, json({})));
	await node.run(parameters({ options: { concurrency: 2 } }), { items: items(6) });
	expect(calls).toHaveLength(6);
	expect(node.service.mostAtOnce).toBeLessThanOrEqual(2);
});
