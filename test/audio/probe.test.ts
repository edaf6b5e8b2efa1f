import { sniffFormat } from '../../nodes/VoiceSpeech/audio/format';
import { probeAudio } from '../../nodes/VoiceSpeech/audio/probe';
import { audioFile, audioFiles, countedReader } from '../support/audioFiles';

const measured = audioFiles.filter(({ format }) => /^(WAV|MP3|M4A|FLAC)$/.test(format));

async function measuresOf(bytes: Uint8Array, chunkSize?: number) {
	const { reader } = await countedReader(bytes, chunkSize);
	return await probeAudio(reader, await sniffFormat(reader));
}

describe('the header of a file made by a real tool', () => {
	it.each(measured)('of $file ($note)', async ({ file, samplingRate, channels, seconds }) => {
		const found = await measuresOf(audioFile(file));
		const isKnown = seconds !== undefined;
		expect(found).toEqual({
			samplingRate,
			channels,
			seconds: isKnown ? (expect.any(Number) as number) : undefined,
		});
		const tolerated = 0.02 * (seconds ?? 0);
		expect(Math.abs((found.seconds ?? 0) - (seconds ?? 0))).toBeLessThanOrEqual(tolerated);
	});

	it.each(measured)('of $file tells the same however its bytes come', async ({ file }) => {
		const bytes = audioFile(file);
		expect(await measuresOf(bytes, 7)).toEqual(await measuresOf(bytes));
	});
});
