/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep } from 'n8n-workflow';
import { ClientRequest } from 'node:http';

import { openFiles } from '../support/openFiles';
import { delayed, modes, noResponse } from '../support/calls';
import { largeWav, speechToText, useNode, type CallScene } from '../support/node';
import { json } from '../support/scriptedServer';

const node = useNode();

const files = { data: largeWav() };

/** In seconds. */
const answerTimeoutSeconds = 0.5;

const uploading = { ...speechToText, options: { answerTimeoutSeconds } };

async function timed(scene: CallScene) {
	const begun = Date.now();
	const output = await node.runItems(1, scene);
	return { ...output, took: Date.now() - begun };
}

describe("'Answer Timeout (Seconds)'", () => {
	it('counts from the end of a slow upload', async () => {
		node.service.intercept = (request, response) => {
			// Nothing is read for longer than the response may take.
			void sleep(1100).then(() => request.resume().on('end', () => response.end('{}')));
			return true;
		};
		const begun = Date.now();
		const { error } = await node.run(uploading, { files });
		expect(error).toBeUndefined();
		expect(Date.now() - begun).toBeGreaterThan(1000);
	});

	it('limits the wait for the response, from the end of an upload that was in progress shortly before', async () => {
		node.service.answer = noResponse;
		const begun = Date.now();
		const { error } = await node.run(uploading, { files });
		expect(error?.message).toContain('did not respond within 0.5 seconds');
		expect(Date.now() - begun).toBeLessThan(15_000);
	});

	it("0 means no limit, and n8n's client gets no other one", async () => {
		const limits = jest.spyOn(ClientRequest.prototype, 'setTimeout');
		const { error } = await timed({
			respond: () => delayed(1300, json({})),
			options: { answerTimeoutSeconds: 0 },
		});
		expect(error).toBeUndefined();
		expect(limits.mock.calls.filter(([limit]) => limit > 0)).toEqual([]);
		limits.mockRestore();
	});

	it("gives way to n8n's own Timeout, the shorter and the longer", async () => {
		const respond = () => delayed(1500, json({}));
		const withTimeout = (timeout: number) => ({ parameters: { requestOptions: { timeout } } });
		const shorter = await timed({ respond, ...withTimeout(300) });
		expect(shorter.error?.description).toContain('Timeout');
		expect(shorter.took).toBeLessThan(1400);
		const longer = await timed({
			respond,
			options: { answerTimeoutSeconds },
			...withTimeout(5000),
		});
		expect(longer.error).toBeUndefined();
	});
});

it.each(['reads on', 'stops reading', 'never reads'])(
	'a response before the end of the upload counts, and ends the run: the service %s',
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
		await sleep(50);
		expect(openFiles().filter((file) => file.includes('voice-speech-test-'))).toEqual([]);
	},
);
