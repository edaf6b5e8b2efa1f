import type { Endpoint } from '../../nodes/VoiceSpeech/endpoint';
import type { MultipartPayload, PreparedRequest } from '../../nodes/VoiceSpeech/execution/item';
import { fingerprintOf } from '../../nodes/VoiceSpeech/execution/prepareRequest';
import { JsonText } from '../../nodes/VoiceSpeech/text/json';

interface Change {
	path?: Endpoint['path'];
	access?: object;
	options?: object;
	payload?: Partial<MultipartPayload> | { kind: 'json'; text: string };
}

function fingerprint({ path = '/ai/speech-to-text', access, options, payload }: Change = {}) {
	const request = {
		access: { baseUrl: 'http://127.0.0.1', apiKey: 'one', environment: 'sandbox', ...access },
		options: { outputFileName: '', fileFieldName: 'file', ...options },
		payload: {
			kind: 'multipart',
			audio: { identity: ['a.wav', 7] },
			isFromUrl: false,
			fields: [['language', 'en']],
			...payload,
		},
	};
	return fingerprintOf(request as unknown as PreparedRequest, path);
}

describe('the fingerprint of a request', () => {
	it.each<[string, Change]>([
		['base URL', { access: { baseUrl: 'http://127.0.0.2' } }],
		['key', { access: { apiKey: 'two' } }],
		['operation', { path: '/ai/amd' }],
		['field of the audio', { options: { fileFieldName: 'audio' } }],
		['audio', { payload: { audio: { identity: ['a.wav', 8] } as never } }],
		['value of a field', { payload: { fields: [['language', 'de']] } }],
		['JSON in a field', { payload: { fields: [['language', new JsonText('"en"')]] } }],
		['name of a field', { payload: { fields: [['lang', 'en']] } }],
		['number of fields', { payload: { fields: Object.entries({ language: 'en', a: '' }) } }],
	])('differs with another %s', (_what, change) => {
		expect(fingerprint()).toEqual(fingerprint());
		expect(fingerprint(change)).not.toEqual(fingerprint());
	});

	it('is the same with another name for the output file, which is not sent', () => {
		expect(fingerprint({ options: { outputFileName: 'a' } })).toEqual(fingerprint());
	});

	it('differs with another JSON body', () => {
		const json = (text: string) => fingerprint({ payload: { kind: 'json', text } });
		expect(json('{"text":"a"}')).toEqual(json('{"text":"a"}'));
		expect(json('{"text":"a"}')).not.toEqual(json('{"text":"b"}'));
	});
});
