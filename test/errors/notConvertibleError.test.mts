import {
	createNotConvertibleError,
	type Obstacle,
} from '../../nodes/VoiceSpeech/errors/audioError.ts';

/** The reason, and what the advice leads to. */
const explained: Array<[obstacle: Obstacle, message: string, advice: string]> = [
	[{ kind: 'codec', codec: 'Vorbis' }, 'its audio is Vorbis', 'Use a recording in another format'],
	[{ kind: 'noAudio' }, 'has no audio', 'Check which file the previous step outputs.'],
	[{ kind: 'headerOnly' }, 'it ends before its audio begins', 'received the entire file'],
	[{ kind: 'segment' }, 'its beginning is missing', 'Use the entire recording.'],
	[{ kind: 'order' }, 'stored in an unusual order', 'Use a recording in another format'],
	[{ kind: 'edited' }, 'has edits', 'Export it again with the program that edited it. Use a'],
	[{ kind: 'tooLong' }, 'it lasts longer than 12 hours', 'Split it into shorter recordings.'],
	[{ kind: 'tooManyPackets' }, 'it is too long', '5,000,000 packets, 1,000,000 durations). Split'],
	[{ kind: 'tooFewBytes' }, 'nearly silent, or damaged', 'parts of at most 10 minutes.'],
	[{ kind: 'notSplit', codec: 'ALS' }, 'cannot be split: its audio is ALS', 'in another format'],
	[{ kind: 'tooManyParts', count: 9 }, 'would have 9 parts, more than', 'Increase'],
	[{ kind: 'damaged' }, 'it is damaged or incomplete', 'Check whether it plays, and whether'],
	[{ kind: 'changed' }, 'changed while it was read', 'Run the step again when nothing writes'],
];

/** Sending the file as it is does not help. */
const notSent = [
	...['noAudio', 'headerOnly', 'segment'],
	...['notSplit', 'tooManyParts', 'changed'],
];

it.each(explained)('the obstacle %j has the message "%s", and leads to "%s"', (...row) => {
	const [obstacle, message, advice] = row;
	const error = createNotConvertibleError(obstacle, 'a.ogg');
	expect(error.message).toMatch(/^The file 'a.ogg' /);
	expect(error.message).toContain(message);
	expect(error.description).toContain(advice);
	const canBeSent = error.description?.endsWith(
		"set the option 'Other Formats' to 'Send As It Is'.",
	);
	expect(canBeSent).toBe(!notSent.includes(obstacle.kind));
});
