import { abortReason, rejectOnAbort } from '../../nodes/VoiceSpeech/streams/waiting.ts';

const never = new Promise<never>(() => {});

it.each([
	{ what: 'an error with the text of our own reason', reason: abortReason },
	{ what: 'the error that is the reason of a signal', reason: new Error('timeout') },
])('rejects with $what', async ({ reason }) => {
	const stop = new AbortController();
	const rejection = rejectOnAbort(never, stop.signal);
	stop.abort(reason);
	const error = await rejection.catch((caught: unknown) => caught);
	expect(error).toBeInstanceOf(Error);
	expect((error as Error).message).toBe(reason instanceof Error ? reason.message : reason);
});

it('rejects if the signal has aborted before', async () => {
	await expect(rejectOnAbort(never, AbortSignal.abort(abortReason))).rejects.toThrow(abortReason);
});
