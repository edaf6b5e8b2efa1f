import { abortReason, pause } from '../../nodes/VoiceSpeech/execution/pause';

describe('pause', () => {
	it('ends at once where its end has come already', async () => {
		const ended = new AbortController();
		ended.abort(abortReason);
		await pause(Infinity, ended.signal);
	});

	it('without a limit lasts until its end comes', async () => {
		const ended = new AbortController();
		let isOver = false;
		const waiting = pause(Infinity, ended.signal).then(() => {
			isOver = true;
		});
		await pause(20, new AbortController().signal);
		expect(isOver).toBe(false);
		ended.abort(abortReason);
		await waiting;
		expect(isOver).toBe(true);
	});

	it('of no time, or less, ends soon', async () => {
		await pause(0, new AbortController().signal);
		await pause(-5, new AbortController().signal);
	});
});
