import { sleep } from 'n8n-workflow';

import { ask, numbered } from '../money/till';
import { callWav, speechToText, useNode } from '../support/node';
import { Recorder } from '../support/recorder';

const node = useNode();

/** Longer than n8n's five minutes for a request. */
const longAnswer = 305_000;

it(
	'ends an upload that moves no byte for 120 seconds, and waits for an answer past five minutes',
	async () => {
		const slow = await Recorder.start((_request, response) => {
			void sleep(longAnswer).then(() => response.end('{"text":"late"}'));
		});
		node.service.intercept = () => true; // reads nothing
		const large = { ...callWav, bytes: Buffer.concat([callWav.bytes, Buffer.alloc(32e6)]) };
		const upload = async () => {
			const begun = Date.now();
			const { error } = await node.run(speechToText, { files: { data: large } });
			return { message: error?.message, took: (Date.now() - begun) / 1000 };
		};
		const [stalled, patient] = await Promise.all([
			upload(),
			node.run(ask, { items: numbered(1), credential: { baseUrl: slow.baseUrl } }),
		]);
		expect(stalled.message).toBe('The upload moved no byte for 120 seconds and was ended');
		expect(stalled.took).toBeGreaterThanOrEqual(120);
		expect(stalled.took).toBeLessThan(125);
		expect(patient.error).toBeUndefined();
		expect(patient.items[0]?.json).toEqual({ text: 'late' });
		await slow.stop();
	},
	longAnswer + 60_000,
);
