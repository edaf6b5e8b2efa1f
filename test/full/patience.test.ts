import { sleep } from 'n8n-workflow';

import { ask, numbered } from '../money/till';
import { callWav, speechToText, useNode } from '../support/node';
import { Recorder } from '../support/recorder';

const node = useNode();

/** Longer than n8n's five minutes for a request. */
const longAnswer = 305_000;

/** Announced at once, and then a byte every 20 s, for longer than an answer may stand still. */
async function trickling(): Promise<Recorder> {
	const text = '{"a":12}';
	return await Recorder.start((_request, response) => {
		response.writeHead(200, { 'Content-Type': 'application/json' });
		void (async () => {
			for (const byte of text) {
				response.write(byte);
				await sleep(20_000);
			}
			response.end();
		})();
	});
}

it(
	'ends an upload that moves no byte for 120 seconds, takes an answer that comes slowly, and waits for one past five minutes',
	async () => {
		const drops = await trickling();
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
		const [stalled, dripping, patient] = await Promise.all([
			upload(),
			node.run(ask, { items: numbered(1), credential: { baseUrl: drops.baseUrl } }),
			node.run(ask, { items: numbered(1), credential: { baseUrl: slow.baseUrl } }),
		]);
		expect(stalled.message).toBe('The upload moved no byte for 120 seconds and was ended');
		expect(stalled.took).toBeGreaterThanOrEqual(120);
		expect(stalled.took).toBeLessThan(125);
		expect(dripping.error).toBeUndefined();
		expect(dripping.items[0]?.json).toEqual({ a: 12 });
		expect(patient.error).toBeUndefined();
		expect(patient.items[0]?.json).toEqual({ text: 'late' });
		await Promise.all([slow.stop(), drops.stop()]);
	},
	longAnswer + 60_000,
);
