import fc from 'fast-check';

import { sniffHead, sniffFormat } from '../../nodes/VoiceSpeech/audio/format.ts';
import { probeAudio } from '../../nodes/VoiceSpeech/audio/probeAudio.ts';
import { compareVoiceSample } from '../../nodes/VoiceSpeech/call/openBody.ts';
import { headBytes, maxProbeBytes, maxProbeReads } from '../../nodes/VoiceSpeech/limits.ts';
import { readAudioFile, audioFiles, createAudioReader } from '../support/media/audioFiles.mts';
import { mutate, mutations } from '../support/media/mutations.mts';

/** Beginnings of all the files, as seeds, because the headers are in there. */
const seeds = audioFiles.map(({ file }) => readAudioFile(file).subarray(0, 12_000));

/** Every format whose header is read. */
const formats = audioFiles
	.filter(({ file }) => /^(pcm-16|rf64|cbr|mono|faststart)\./.test(file))
	.map(({ file }) => sniffHead(readAudioFile(file)));

const chunkSize = 4096;

async function read(bytes: Uint8Array, isSizeKnown: boolean): Promise<void> {
	const { reader, taken } = await createAudioReader(bytes, chunkSize, isSizeKnown);
	// The bytes are probed as the format that is recognized, and as every format.
	const found = await sniffFormat(reader);
	for (const format of [found, ...formats]) {
		Object.assign(reader, { reads: 0 });
		const properties = await probeAudio(reader, format);
		for (const value of Object.values(properties) as Array<number | undefined>) {
			expect(value === undefined || (Number.isFinite(value) && value >= 0)).toBe(true);
		}
		expect(compareVoiceSample(properties).every(({ text }) => text.length < 100)).toBe(true);
	}
	expect(taken.farthest).toBeLessThanOrEqual(maxProbeBytes + headBytes);
	expect(taken.bytes).toBeLessThanOrEqual(maxProbeBytes + headBytes + chunkSize);
	expect(taken.peeks).toBeLessThan((1 + formats.length) * (maxProbeReads + 20));
}

it('reads headers of real files that are changed and cut off within the limits', async () => {
	const property = fc.asyncProperty(
		fc.constantFrom(...seeds),
		mutations,
		fc.boolean(),
		async (seed, changes, isSizeKnown) => await read(mutate(seed, changes), isSizeKnown),
	);
	await fc.assert(property, { numRuns: 800 });
});

it('reads every beginning of every file within the limits', async () => {
	for (const seed of seeds) {
		for (let length = 0; length < 60; length++) await read(seed.subarray(0, length), true);
	}
});
