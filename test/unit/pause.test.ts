import { abortReason, pause } from '../../nodes/VoiceSpeech/request/pause';

describe('a pause', () => {
	it('is over at once where its end has come already', async () => {
		const ended = new AbortController();
		ended.abort(abortReason);
		await pause(Infinity, ended.signal);
	});

	it('without limit lasts until its end comes', async () => {
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

	it('of no time, or less, is over soon', async () => {
		await pause(0, new AbortController().signal);
		await pause(-5, new AbortController().signal);
	});
});
