import { UserFacingError } from '../../dev/lib/errors.mts';
import { waitUntil } from '../../dev/lib/waitUntil.mts';

it('returns what the function returns as soon as that is neither undefined nor false', async () => {
	const values = [undefined, false, '', 'later'];
	expect(await waitUntil(() => values.shift())).toBe('');
	expect(values).toEqual(['later']);
});

it('throws an error for developers, with the source of the function', async () => {
	const waiting = waitUntil(() => 1 + 1 === 3, { timeoutMs: 20 });
	const error: unknown = await waiting.catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(Error);
	expect(error).not.toBeInstanceOf(UserFacingError);
	expect(error).toMatchObject({
		message: expect.stringMatching(/^After 0\.02 s: This did not .*1 \+ 1 === 3/) as string,
	});
});

it('throws an error for users, with the message as it is at the end and without the source', async () => {
	let polls = 0;
	const waiting = waitUntil(() => ++polls < 0, {
		timeoutMs: 20,
		createMessage: () => `n8n did not respond to ${polls} requests`,
	});
	const error: unknown = await waiting.catch((reason: unknown) => reason);
	expect(polls).toBeGreaterThan(0);
	expect(error).toBeInstanceOf(UserFacingError);
	expect(error).toMatchObject({
		message: `After 0.02 s: n8n did not respond to ${polls} requests`,
	});
});

it('throws what the function throws, without another call', async () => {
	const poll = jest.fn().mockRejectedValue(new Error('The port is closed'));
	await expect(waitUntil(poll)).rejects.toThrow('The port is closed');
	expect(poll).toHaveBeenCalledTimes(1);
});
