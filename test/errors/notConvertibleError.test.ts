import { createNotConvertibleError } from '../../nodes/VoiceSpeech/errors/notConvertibleError';

it('a recording that is too long, and one with too few bytes, are reported with advice of their own', () => {
	const tooLong = createNotConvertibleError({ reason: 'tooLong' }, 'day.ogg', false);
	expect(tooLong.message).toBe(
		"The file 'day.ogg' cannot be converted: it lasts longer than 12 hours",
	);
	expect(tooLong.description).toBe('Split it into shorter recordings.');
	const tooFewBytes = createNotConvertibleError({ reason: 'tooFewBytes' }, 'empty.ogg', false);
	expect(tooFewBytes.message).toBe(
		"The file 'empty.ogg' cannot be converted: it is nearly silent, or damaged",
	);
	expect(tooFewBytes.description).toMatch(/^Check whether it plays/);
});
