import { sleep } from 'n8n-workflow';

import { analyzeText, numberedItems } from '../support/calls';
import { useNode } from '../support/node';
import { ScriptedServer } from '../support/scriptedServer';

const node = useNode();

/** Longer than n8n's five minutes for a request. */
const longAnswer = 305_000;

/** Headers at once, and then a byte every 20 s, for longer than a response may stall. */
async function trickling(): Promise<ScriptedServer> {
	const text = '{"a":12}';
	return await ScriptedServer.start((_request, response) => {
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
	'reads a slow response, and waits for one for more than five minutes',
	async () => {
		const drops = await trickling();
		const slow = await ScriptedServer.start((_request, response) => {
			void sleep(longAnswer).then(() => response.end('{"text":"late"}'));
		});
		const [dripping, patient] = await Promise.all([
			node.run(analyzeText, { items: numberedItems(1), credential: { baseUrl: drops.baseUrl } }),
			node.run(analyzeText, { items: numberedItems(1), credential: { baseUrl: slow.baseUrl } }),
		]);
		expect(dripping.error).toBeUndefined();
		expect(dripping.items[0]?.json).toEqual({ a: 12 });
		expect(patient.error).toBeUndefined();
		expect(patient.items[0]?.json).toEqual({ text: 'late' });
		await Promise.all([slow.stop(), drops.stop()]);
	},
	longAnswer + 60_000,
);
