/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep, type INode, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';
import { getEventListeners } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';

import { speak, speechToText, useNode } from '../support/node';
import { bytes, json, Recorder, type Answer } from '../support/recorder';
import { wav } from '../support/recordings';
import { after, ask, modes, numbered, tries, Till } from './till';

const node = useNode();
const silence: Answer = () => {};

/** Larger than what the network holds between two programs of one machine. */
const large = {
	bytes: Buffer.concat([wav(), Buffer.alloc(32e6)]),
	fileName: 'long.wav',
	mimeType: 'audio/wav',
};

async function timed(parameters: INodeParameters, items = numbered(1)) {
	const begun = Date.now();
	const output = await node.run(parameters, { items });
	return { ...output, took: Date.now() - begun };
}

describe('time', () => {
	it("waits for the response as long as 'Answer Timeout (Seconds)' says", async () => {
		new Till(node.service, () => silence);
		const { error, took } = await timed({ ...ask, options: { answerTimeoutSeconds: 1 } });
		expect(error?.message).toContain('did not respond within 1 seconds');
		expect(took).toBeGreaterThanOrEqual(1000);
		expect(took).toBeLessThan(2500);
	});

	it('counts from the end of a slow upload', async () => {
		node.service.intercept = (request, response) => {
			// Nothing is read for longer than the answer may take.
			void sleep(1800).then(() => request.resume().on('end', () => response.end('{}')));
			return true;
		};
		const items = [await node.engine.item({}, { data: large })];
		const { error, took } = await timed(
			{ ...speechToText, options: { answerTimeoutSeconds: 1 } },
			items,
		);
		expect(error).toBeUndefined();
		expect(took).toBeGreaterThan(1700);
	});

	it('ends an upload whose answer does not come, although the upload was just under way', async () => {
		node.service.answer = silence;
		const items = [await node.engine.item({}, { data: large })];
		const { error, took } = await timed(
			{ ...speechToText, options: { answerTimeoutSeconds: 1 } },
			items,
		);
		expect(error?.message).toContain('did not respond within 1 seconds');
		expect(took).toBeLessThan(3000);
	});

	it("hands n8n's client no limit of its own, and 0 lifts ours", async () => {
		const limits = jest.spyOn(ClientRequest.prototype, 'setTimeout');
		new Till(node.service, () => after(1300, json({})));
		const { error } = await timed({ ...ask, options: { answerTimeoutSeconds: 0 } });
		expect(error).toBeUndefined();
		expect(limits.mock.calls.filter(([limit]) => limit > 0)).toEqual([]);
		limits.mockRestore();
	});

	it("lets the user's own Timeout win, the shorter and the longer", async () => {
		new Till(node.service, () => after(1300, json({})));
		const options = { answerTimeoutSeconds: 1 };
		const shorter = await timed({ ...ask, requestOptions: { timeout: 300 } });
		expect(shorter.error?.description).toContain('Timeout');
		expect(shorter.took).toBeLessThan(1200);
		const longer = await timed({ ...ask, options, requestOptions: { timeout: 5000 } });
		expect(longer.error).toBeUndefined();
	});
});

/** Files of n8n's storage that this process has open. */
function openFiles(): number {
	return readdirSync('/proc/self/fd').filter((fd) => {
		try {
			return readlinkSync(`/proc/self/fd/${fd}`).includes('voice-speech-test-');
		} catch {
			return false;
		}
	}).length;
}

/** Runs, and cancels the execution once `when` says so. */
async function cancelled(
	parameters: INodeParameters,
	items: INodeExecutionData[],
	when: () => boolean,
	settings: Partial<INode> = {},
) {
	let cancelledAt = 0;
	let signal: AbortSignal | undefined;
	const run = await node.engine.run({
		parameters,
		items,
		credential: node.credential(),
		node: settings,
		onStart: (cancel, given) => {
			signal = given;
			void (async () => {
				while (!when()) await sleep(10);
				await sleep(50);
				cancelledAt = Date.now();
				cancel();
			})();
		},
	});
	const took = Date.now() - cancelledAt;
	const arrived = node.service.arrived;
	await sleep(100);
	expect(run.status).toBe('canceled');
	expect(took).toBeLessThan(1000);
	expect(openFiles()).toBe(0);
	expect(getEventListeners(signal as AbortSignal, 'abort')).toHaveLength(0);
	// A server that reads slowly learns of the end late.
	for (let wait = 0; node.service.underWay > 0 && wait < 60; wait++) await sleep(50);
	expect(node.service.underWay).toBe(0);
	expect(node.service.arrived).toBe(arrived);
}

it.each(['reads on', 'stops reading', 'never reads'])(
	'a service that answers before the upload is through, and %s: its answer counts, and ends the run',
	async (how) => {
		node.service.intercept = (request, response) => {
			if (how === 'reads on') request.resume();
			if (how === 'stops reading') request.once('data', () => request.pause());
			response.writeHead(402, { 'Content-Type': 'application/json' });
			response.end('{"message":"Empty."}');
			return true;
		};
		const file = await node.engine.item({}, { data: large });
		const { items } = await node.run(
			{ ...speechToText, options: { concurrency: 1 } },
			{ items: [file, file], node: modes.continue },
		);
		expect(items.map((item) => (item.json.error as { message: string }).message)).toEqual([
			expect.stringMatching(/status 402.*Empty/),
			expect.stringContaining('not sent, because item 0'),
		]);
		expect(node.service.arrived).toBe(1);
		await sleep(50);
		expect(openFiles()).toBe(0);
	},
);

describe.each(['stop', 'continue'] as const)('cancelled, mode %s', (mode) => {
	const arrived = () => node.service.arrived > 0;

	it('while calls wait for their turn, and one for its answer', async () => {
		new Till(node.service, () => silence);
		await cancelled({ ...ask, options: { concurrency: 1 } }, numbered(30), arrived, modes[mode]);
		expect(node.service.arrived).toBe(1);
	});

	it('while it uploads', async () => {
		node.service.intercept = (request) => {
			void (async () => {
				for await (const chunk of request) await sleep(chunk ? 2 : 0);
			})().catch(() => {});
			return true;
		};
		const items = [await node.engine.item({}, { data: large })];
		await cancelled(speechToText, items, arrived, modes[mode]);
	});

	it('while it reads the answer', async () => {
		node.service.answer = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav' });
			response.write(wav(10));
		};
		await cancelled(speak, numbered(1), arrived, modes[mode]);
	});

	it('while it waits to send a call again', async () => {
		new Till(node.service, () => json({}, 429, { 'Retry-After': '30' }));
		await cancelled(ask, numbered(3), arrived, modes[mode]);
	});

	it('while n8n waits for its next try', async () => {
		const till = new Till(node.service, () => 500);
		const settings = { ...tries(2), waitBetweenTries: 300 };
		await cancelled(ask, numbered(1), () => till.calls.length > 0, settings);
		expect(till.calls).toEqual([0]);
	});
});

it('cancelled with continue and Retry On Fail, it is not tried again', async () => {
	const till = new Till(node.service, () => silence);
	const settings = { ...tries(3), waitBetweenTries: 1000, ...modes.continue };
	await cancelled(ask, numbered(2), () => till.calls.length > 1, settings);
	expect(till.calls).toEqual([0, 1]);
});

describe('cancelled while it fetches from a URL', () => {
	let source: Recorder;
	beforeAll(async () => {
		source = await Recorder.start();
	});
	afterAll(async () => await source.stop());
	beforeEach(() => source.reset());

	const fromUrl = () => ({ ...speechToText, audioSource: 'url', audioUrl: `${source.baseUrl}/a` });

	async function cancelFetch(
		answer: (request: IncomingMessage, response: ServerResponse) => void,
		calls: number,
	) {
		source.intercept = (request, response) => {
			answer(request, response);
			return true;
		};
		const begun = () => source.arrived > 0 && node.service.arrived === calls;
		await cancelled(fromUrl(), [{ json: {} }], begun);
		expect(source.underWay).toBe(0);
		expect(node.service.arrived).toBe(calls);
	}

	it('before it answers', async () => await cancelFetch(() => {}, 0));

	it('in the midst of the audio', async () => {
		await cancelFetch((_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav' });
			response.write(wav(10));
		}, 1);
	});
});

it('leaves no listener and no file behind, however many items', async () => {
	node.service.answer = bytes(wav(), 'audio/wav');
	const most: number[] = [];
	let signal: AbortSignal | undefined;
	node.service.answer = (request, response, index) => {
		most.push(getEventListeners(signal as AbortSignal, 'abort').length);
		json({})(request, response, index);
	};
	const items = await Promise.all(
		Array.from({ length: 40 }, () => node.engine.item({}, { data: { ...large, bytes: wav(1) } })),
	);
	await node.engine.run({
		parameters: { ...speechToText, options: { concurrency: 20 } },
		items,
		credential: node.credential(),
		onStart: (_cancel, given) => (signal = given),
	});
	expect(most).toHaveLength(40);
	expect(Math.max(...most)).toBe(1);
	expect(getEventListeners(signal as AbortSignal, 'abort')).toHaveLength(0);
	expect(openFiles()).toBe(0);
});
