import {
	createAudioNotReadableError,
	createUploadReadError,
} from '../../nodes/VoiceSpeech/errors/audioError.ts';

it('says why audio cannot be read, before and during the upload', () => {
	expect(createAudioNotReadableError('ENOENT: no such file')).toMatchObject({
		message: 'The audio could not be read',
		description:
			'Check that the file, or the server it comes from, is still available (ENOENT: no such file).',
	});
	expect(createUploadReadError('EIO: read EIO')).toMatchObject({
		message: 'Reading the audio failed during the upload',
		description:
			'Check that the file, or the server it comes from, is still available (EIO: read EIO).',
	});
});
