import { readRecording } from '../../../nodes/VoiceSpeech/audio/convert/recording.ts';
import { startReading } from '../../support/media/conversion.mts';
import { createMovieFile, createStts } from '../../support/media/isobmff.mts';

// test/full/split.test.mts compares the sound of parts.
it('cuts a recording no further where a packet is longer than a part', async () => {
	const seconds = createStts(3, 10, 1, 100, 3, 10);
	const file = createMovieFile({ track: { timescale: 1 }, tables: () => ({ stts: seconds }) });
	const read = async () => startReading(file);
	const recording = await readRecording('isobmff', read, async () => {});
	const parts = await recording.split(30, false);
	expect(parts?.times).toEqual([
		{ startSeconds: 0, seconds: 30 },
		{ startSeconds: 30, seconds: 130 },
	]);
});
