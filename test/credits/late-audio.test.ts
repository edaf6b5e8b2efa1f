import { sleep } from 'n8n-workflow';

import { CallLog, continueModes, delayed, modes, range, sorted } from '../support/calls';
import type { Mode, Respond } from '../support/calls';
import { speechToText, useNode, type Scene } from '../support/node';
import { errorsOf, expectNothingDebited } from '../support/outcome';
import { wav } from '../support/recordings';
import { bytes, json, ScriptedServer } from '../support/scriptedServer';

// Whether a call may start is decided once its audio is open; in any order of events: test/credits/invariants.

const node = useNode();

/** How long the source of the audio takes to respond, in ms; the first item's audio comes at once. */
const late = 700;

const source = ScriptedServer.use();
beforeEach(() => openAfter(late));

/** In ms; not for the first item. */
function openAfter(milliseconds: number, first = bytes(wav(), 'audio/wav')): void {
	source.reset((request, ...rest) => {
		const isFirst = request.url.endsWith('/0.wav');
		(isFirst ? first : delayed(milliseconds, bytes(wav(), 'audio/wav')))(request, ...rest);
	});
}

const itemsFrom = (first: number, count: number) =>
	range(count).map((number) => ({ json: { number: String(first + number) } }));

interface Settings extends Scene {
	mode?: Mode;
	parameters?: object;
}

/** Each item's audio has its number as its name; 'Language' has it, too. */
async function run(count: number, respond: Respond, settings: Settings = {}) {
	const { mode = 'stop', parameters, ...scene } = settings;
	const log = new CallLog(node.service, respond, ({ parts }) =>
		Number(parts.find(({ name }) => name === 'language')?.body),
	);
	const output = await node.run(
		{
			...speechToText,
			audioSource: 'url',
			audioUrl: `=${source.baseUrl}/{{ $json.number }}.wav`,
			language: '={{ $json.number }}',
			...parameters,
		},
		{ items: itemsFrom(0, count), node: modes[mode], ...scene },
	);
	return { ...output, ...log };
}

const failFirst = (status: number) => (item: number) => (item === 0 ? status : 200);

describe('audio that opens after another item failed', () => {
	it.each([400, 402])('is not sent after a %i, without continue', async (status) => {
		const { items, error, calls } = await run(4, failFirst(status));
		expect(items).toEqual([]);
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		await sleep(late);
		expect(calls).toEqual([0]);
		expect(node.service.arrived).toBe(1);
	});

	it.each(continueModes)('is not sent after a 401 or 402, with %s', async (mode) => {
		for (const status of [401, 402]) {
			const output = await run(4, failFirst(status), { mode });
			const errors = errorsOf(output);
			expect(errors).toHaveLength(4);
			for (const error of errors.slice(1)) expectNothingDebited(error);
			expect(output.calls).toEqual([0]);
		}
	});

	it('is not sent after the audio of another item could not be opened, without continue', async () => {
		openAfter(400, json({}, 404));
		const { error, calls } = await run(4, () => 200);
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		await sleep(400);
		expect(calls).toEqual([]);
	});
});

describe('audio that opens while another call waits to be sent again', () => {
	const busy = json({}, 429, { 'Retry-After': '1' });

	it.each<[string, number, number, Mode]>([
		['the wait', late, 1, 'stop'],
		['the wait', late, 1, 'continue'],
		['a second wait', 1500, 2, 'stop'],
	])('is not sent during %s, after %i ms, %i waits, mode %s', async (_what, ms, waits, mode) => {
		openAfter(ms);
		const output = await run(4, (item, earlier) => (item === 0 && earlier < waits ? busy : 200), {
			mode,
		});
		const { calls, times } = output;
		expect(errorsOf(output).filter((error) => error !== undefined)).toEqual([]);
		expect(sorted(calls)).toEqual([...new Array<number>(waits).fill(0), 0, 1, 2, 3]);
		calls.forEach((item, index) => {
			const after = (times[index] ?? 0) - (times[0] ?? 0);
			if (item !== 0) expect(after).toBeGreaterThanOrEqual(waits * 1000 - 50);
		});
	});
});
