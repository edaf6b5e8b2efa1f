import { OpusDecoder } from '../../../nodes/VoiceSpeech/audio/convert/opusDecoder.ts';

afterEach(() => jest.restoreAllMocks());

it('compiles the decoder once, and again only after a failure', async () => {
	const compile = jest.spyOn(WebAssembly, 'compile');
	compile.mockRejectedValueOnce(new RangeError('Out of memory'));
	await expect(OpusDecoder.create()).rejects.toThrow('Out of memory');
	await OpusDecoder.create();
	await OpusDecoder.create();
	expect(compile).toHaveBeenCalledTimes(2);
});
