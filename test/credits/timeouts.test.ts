/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep } from 'n8n-workflow';
import { ClientRequest } from 'node:http';

import { delayed, modes } from '../support/calls';
import { openFiles } from '../support/openFiles';
import { largeWav, speechToText, useNode } from '../support/node';
import { errorText, expectMaybeDebited, maybeDebited, nothingDebited } from '../support/outcome';
import { wav } from '../support/recordings';
import { json, ScriptedServer } from '../support/scriptedServer';

const node = useNode();

const files = { data: largeWav() };

const storedFiles = () => openFiles().filter((file) => file.includes('voice-speech-test-'));

/** In seconds. */
const answerTimeoutSeconds = 0.3;

describe("'Answer Timeout (Seconds)'", () => {
	it("counts 'Answer Timeout (Seconds)' from the end of a slow upload", async () => {
		node.service.intercept = (request, response) => {
			// Nothing is read for longer than the response may take.
			void sleep(600).then(() => request.resume().on('end', () => response.end('{}')));
			return true;
		};
		const begun = Date.now();
		const { error } = await node.run(
			{ ...speechToText, options: { answerTimeoutSeconds } },
			{ files },
		);
		expect(error).toBeUndefined();
		expect(Date.now() - begun).toBeGreaterThan(600);
	});

	it("waits without a limit if 'Answer Timeout (Seconds)' is 0, and n8n's client gets no other limit", async () => {
		const limits = jest.spyOn(ClientRequest.prototype, 'setTimeout');
		const { error } = await node.runItems(1, {
			respond: () => delayed(50, json({})),
			options: { answerTimeoutSeconds: 0 },
		});
		expect(error).toBeUndefined();
		expect(limits.mock.calls.filter(([limit]) => limit > 0)).toEqual([]);
		limits.mockRestore();
	});
});

it.each(['reads on', 'stops reading', 'never reads'])(
	'takes a response before the end of the upload, and ends the run, if the service %s',
	async (how) => {
		node.service.intercept = (request, response) => {
			if (how === 'reads on') request.resume();
			if (how === 'stops reading') request.once('data', () => request.pause());
			response.writeHead(402, { 'Content-Type': 'application/json' });
			response.end('{"message":"Empty."}');
			return true;
		};
		const file = await node.engine.item({}, files);
		const { items } = await node.run(
			{ ...speechToText, options: { concurrency: 1 } },
			{ items: [file, file], node: modes.continue },
		);
		expect(items.map((item) => (item.json.error as { message: string }).message)).toEqual([
			expect.stringMatching(/402.*Empty/),
			expect.stringContaining('not sent, because item 0'),
		]);
		expect(node.service.arrived).toBe(1);
		for (let wait = 0; storedFiles().length > 0 && wait < 20; wait++) await sleep(50);
		expect(storedFiles()).toEqual([]);
	},
);

/** The start of audio that its server announces to be longer. */
const part = Buffer.concat([wav(), Buffer.alloc(300_000)]);

let breakSource = () => {};

const source = ScriptedServer.use((_request, response) => {
	response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 50e6 });
	response.write(part);
	breakSource = () => response.destroy();
});

const page = '<html><head><title>Proxy</title></head><body><h1>Sorry, not today</h1></body></html>';

interface Way {
	/** The page, or only a part of it. */
	isComplete: boolean;
	/** Whether the service goes on reading the upload. */
	reads: boolean;
	/** From the response to the end of the audio, in ms. */
	delay: number;
}

/** The service responds while the audio is uploaded; then the audio breaks off. */
async function runWithEarlyResponse(status: number, { isComplete, reads, delay }: Way) {
	node.service.intercept = (request, response) => {
		request.once('data', () => {
			if (!reads) request.pause();
			const length = isComplete ? page.length : page.length + 1000;
			// The run may end before the delay: not the source of the next test.
			const breakOwnSource = breakSource;
			const headers = { 'Content-Type': 'text/html', 'Content-Length': length };
			response.writeHead(status, headers).write(page);
			void sleep(delay).then(breakOwnSource);
		});
		return true;
	};
	const parameters = { ...speechToText, audioSource: 'url', audioUrl: `${source.baseUrl}/a.wav` };
	const output = await node.run(parameters, { files: {} });
	expect(output.items).toEqual([]);
	expect(node.service.arrived).toBe(1);
	return errorText(output);
}

const ways: Way[] = [true, false].flatMap((isComplete) =>
	[true, false].flatMap((reads) => [0, 50].map((delay) => ({ isComplete, reads, delay }))),
);

describe.each(ways)('a response before the audio breaks off is the error: %j', (way) => {
	it.each([413, 502])(
		`shows a response with status %i that arrives before the audio breaks off (${JSON.stringify(way)})`,
		async (status) => {
			const text = await runWithEarlyResponse(status, way);
			expect(text).toContain(`(${status}): Sorry, not today`);
			expect(text).not.toContain('could not be read');
			expect(text).not.toMatch(nothingDebited);
			// HTTP says of a 413 that the service refused the request.
			expect(maybeDebited.test(text)).toBe(status === 502);
		},
	);
});

it.each(ways.filter(({ isComplete }) => isComplete))(
	'shows a page with status 200 that arrives before the audio breaks off (%j)',
	async (way) => {
		const text = await runWithEarlyResponse(200, way);
		expect(text).toContain('The service returned HTML instead of JSON');
		expect(text).toContain('Sorry, not today');
		expectMaybeDebited(text);
	},
);
