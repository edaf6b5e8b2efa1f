/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep } from 'n8n-workflow';
import { ClientRequest } from 'node:http';

import { openFiles } from '../support/openFiles';
import { delayed, modes } from '../support/calls';
import { largeWav, speechToText, useNode } from '../support/node';
import { json } from '../support/scriptedServer';

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

	it("applies n8n's own Timeout, which is longer, in place of 'Answer Timeout (Seconds)'", async () => {
		const { error } = await node.runItems(1, {
			respond: () => delayed(600, json({})),
			options: { answerTimeoutSeconds },
			parameters: { requestOptions: { timeout: 5000 } },
		});
		expect(error).toBeUndefined();
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
