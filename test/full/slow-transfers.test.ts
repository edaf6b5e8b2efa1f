import { sleep } from 'n8n-workflow';

import { callWav, speechToText, useNode } from '../support/node';
import { errorText } from '../support/outcome';
import { ScriptedServer } from '../support/scriptedServer';
import { wav } from '../support/recordings';

const node = useNode();

/** Longer than an upload of this size took that was stopped although it moved, in seconds. */
const slowSeconds = 240;

/** Larger than the socket buffers of both sides: only what the service reads makes room for more. */
const large = { ...callWav, bytes: Buffer.concat([callWav.bytes, Buffer.alloc(16e6)]) };

/** A WAV file whose format is behind a chunk of this many bytes, as some recorders write it. */
function wavBehind(bytes: number): Buffer {
	const audio = wav(10);
	const junk = Buffer.alloc(8 + bytes);
	junk.write('JUNK');
	junk.writeUInt32LE(bytes, 4);
	const file = Buffer.concat([audio.subarray(0, 12), junk, audio.subarray(12)]);
	file.writeUInt32LE(file.length - 8, 4);
	return file;
}

it(
	'an upload that the service reads at 10 kB/s goes on, and so does opening audio that arrives at 40 kB/s',
	async () => {
		node.service.intercept = (request, response) => {
			void (async () => {
				const begun = Date.now();
				// Read by hand: a flowing stream would take more than it is asked for.
				while ((Date.now() - begun) / 1000 < slowSeconds) {
					request.read(10_000);
					await sleep(1000);
				}
				request.resume().on('end', () => response.end('{"text":"slow"}'));
			})();
			return true;
		};
		const service = await ScriptedServer.start((_request, response) =>
			response.end('{"voice_id":"v"}'),
		);
		const file = wavBehind(6_000_000);
		const source = await ScriptedServer.start((_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': file.length });
			void (async () => {
				for (let at = 0; at < file.length; at += 40_000) {
					response.write(file.subarray(at, at + 40_000));
					await sleep(1000);
				}
				response.end();
			})();
		});
		const clone = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };
		const options = { sampleCheck: 'reject' };
		const [upload, sample] = await Promise.all([
			node.run(speechToText, { files: { data: large } }),
			node.run(
				{ ...clone, audioSource: 'url', audioUrl: `${source.baseUrl}/sample.wav`, options },
				{ credential: { baseUrl: service.baseUrl } },
			),
		]);
		await Promise.all([source.stop(), service.stop()]);
		expect([errorText(upload), errorText(sample)]).toEqual(['', '']);
		expect(upload.items[0]?.json).toEqual({ text: 'slow' });
		expect(sample.items[0]?.json).toEqual({ voice_id: 'v' });
	},
	(slowSeconds + 60) * 1000,
);
