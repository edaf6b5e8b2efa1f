import { sniffFormat } from '../../nodes/VoiceSpeech/audio/format';
import { probeAudio } from '../../nodes/VoiceSpeech/audio/probe';
import { audioFile, audioFiles, countedReader } from '../support/audioFiles';

const measured = audioFiles.filter(({ format }) => /^(WAV|MP3|M4A|FLAC)$/.test(format));

describe.each([7, 65_536])('the header of a real file, in chunks of %i bytes', (chunkSize) => {
	it.each(measured)(
		`measures the real file $file in chunks of ${chunkSize} bytes ($note)`,
		async ({ file, samplingRate, channels, seconds }) => {
			const { reader } = await countedReader(audioFile(file), chunkSize);
			const found = await probeAudio(reader, await sniffFormat(reader));
			expect(found).toEqual({ samplingRate, channels, seconds: found.seconds });
			expect(found.seconds === undefined).toBe(seconds === undefined);
			const difference = Math.abs((found.seconds ?? 0) - (seconds ?? 0));
			expect(difference).toBeLessThanOrEqual(0.02 * (seconds ?? 0));
		},
	);
});
