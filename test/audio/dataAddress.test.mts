import { buffer } from 'node:stream/consumers';

import { decodeDataAddress } from '../../nodes/VoiceSpeech/audio/dataAddress.ts';
import { maxDataAddressBytes } from '../../nodes/VoiceSpeech/limits.ts';
import { createAudioReader } from '../support/media/audioFiles.mts';
import { createNoise } from '../support/media/recordings.mts';

// test/engine/inputFiles.test.mts tests which texts are decoded.

it.each<[what: string, change: (base64: string) => string]>([
	['one line', (base64) => base64],
	[
		'lines, as a form decodes them',
		(base64) => base64.replace(/.{76}/g, '$&\n').replaceAll('+', ' '),
	],
	['percent-encoding', encodeURIComponent],
])('lets n8n work while it decodes megabytes in %s', async (_, change) => {
	const bytes = createNoise(4_000_003);
	const text = `data:audio/wav;base64,${change(bytes.toString('base64'))}`;
	const { reader } = await createAudioReader(Buffer.from(text));
	const yieldToEventLoop = jest.fn();
	const decoded = await decodeDataAddress(reader, yieldToEventLoop);
	expect(yieldToEventLoop.mock.calls.length).toBeGreaterThanOrEqual(16);
	const content = await buffer(decoded!.chunks);
	expect(content.equals(bytes)).toBe(true);
});

it('refuses an address that is too long, which the service would get as text', async () => {
	const bytes = Buffer.alloc(maxDataAddressBytes + 1);
	bytes.write('data:audio/wav;base64,');
	const { reader } = await createAudioReader(bytes);
	const decoding = decodeDataAddress(reader, async () => {});
	await expect(decoding).rejects.toThrow('The file is a data address that is too long');
});
