import type { INodeParameters } from 'n8n-workflow';

import type { BinaryMode } from '../support/engine';
import { callWav, speechToText, useNode } from '../support/node';
import { bytes, json, Recorder } from '../support/recorder';
import { tries } from './till';

const short = callWav;

const long = { ...callWav, bytes: Buffer.concat([callWav.bytes, Buffer.alloc(10)]) };

describe.each<[string, BinaryMode, INodeParameters]>([
	['in a file of n8n', 'filesystem', { binaryPropertyName: '={{ $json.now.name }}' }],
	['in memory', 'default', { binaryPropertyName: '={{ $json.now.name }}' }],
	['at an address', 'filesystem', { audioSource: 'url', audioUrl: '={{ $json.now.address }}' }],
])('Retry On Fail, the recording %s', (_where, mode, parameters) => {
	const node = useNode(mode);
	let source: Recorder;

	beforeAll(async () => {
		source = await Recorder.start((request, response, index) => {
			const recording = request.url === '/long' ? long : short;
			bytes(recording.bytes, 'audio/wav')(request, response, index);
		});
	});
	afterAll(async () => await source.stop());

	/** Item 0 succeeds and item 1 fails, so that n8n tries both again; what was sent, by length. */
	async function sent(itemZeroThen: 'short' | 'long') {
		const nowFor = (at: number) => ({
			get name() {
				return at === 0 && node.service.requests.length > 1 ? itemZeroThen : 'short';
			},
			get address() {
				return `${source.baseUrl}/${this.name}`;
			},
		});
		const items = [
			await node.engine.item({ now: nowFor(0) }, { short, long }),
			await node.engine.item({ now: nowFor(1) }, { short }),
		];
		node.service.answer = (...call) => json({}, call[2] === 1 ? 500 : 200)(...call);
		const options = { concurrency: 1 };
		await node.run({ ...speechToText, ...parameters, options }, { items, node: tries(2) });
		return node.service.requests.map((request) => request.parts[0]?.body.length);
	}

	const length = short.bytes.length;

	it('is sent where it is another one now', async () => {
		expect(await sent('long')).toEqual([length, length, length + 10, length]);
	});

	it('is not sent again where it is the same', async () => {
		expect(await sent('short')).toEqual([length, length, length]);
	});
});
