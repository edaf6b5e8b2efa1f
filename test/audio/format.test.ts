import { isAccepted } from '../../nodes/VoiceSpeech/audio/format';
import { recognise } from '../../nodes/VoiceSpeech/audio/recognise';
import { audioFile, audioFiles, countedReader } from '../support/audioFiles';

const accepted = ['WAV', 'MP3', 'M4A', 'FLAC'];

describe('the format of a file made by a real tool', () => {
	it('is tried with many files', () => {
		expect(audioFiles.length).toBeGreaterThan(90);
	});

	it.each(audioFiles)('$file is $format ($note)', async ({ file, format }) => {
		const { reader, taken } = await countedReader(audioFile(file), 3);
		const found = await recognise(reader);
		expect(found?.name ?? '').toBe(format);
		expect(isAccepted(found)).toBe(accepted.includes(format));
		// Behind a tag some more, else the first bytes alone.
		const isTagged = /large|two-tags/.test(file);
		expect(taken.bytes).toBeLessThanOrEqual(isTagged ? 30_000 : 5000);
	});
});
