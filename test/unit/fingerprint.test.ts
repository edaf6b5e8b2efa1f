import {
	fingerprintOf,
	type MultipartPayload,
	type Plan,
} from '../../nodes/VoiceSpeech/request/plan';
import type { Endpoint } from '../../nodes/VoiceSpeech/endpoint';

const endpoint: Endpoint = { path: '/ai/speech-to-text', body: 'audio', answer: 'json' };

interface Change {
	path?: Endpoint['path'];
	access?: object;
	options?: object;
	payload?: Partial<MultipartPayload> | { kind: 'json'; text: string };
}

function fingerprint({ path, access, options, payload }: Change = {}): string {
	const plan = {
		access: { baseUrl: 'http://127.0.0.1', apiKey: 'one', environment: 'sandbox', ...access },
		options: { outputFileName: '', fileFieldName: 'file', ...options },
		ownTimeout: false,
		payload: {
			kind: 'multipart',
			recording: { identity: ['a.wav', 7] },
			fromUrl: false,
			fields: [['language', 'en']],
			...payload,
		},
	};
	return JSON.stringify(
		fingerprintOf(plan as unknown as Plan, { ...endpoint, ...(path ? { path } : {}) }),
	);
}

describe('two requests are not the same', () => {
	it.each<[string, Change]>([
		['the address of the service', { access: { baseUrl: 'http://127.0.0.2' } }],
		['the key', { access: { apiKey: 'two' } }],
		['the operation', { path: '/ai/amd' }],
		['the name of the answered file', { options: { outputFileName: 'a' } }],
		['the field of the recording', { options: { fileFieldName: 'audio' } }],
		['the recording', { payload: { recording: { identity: ['a.wav', 8] } as never } }],
		['the value of a field', { payload: { fields: [['language', 'de']] } }],
		['the name of a field', { payload: { fields: [['lang', 'en']] } }],
		['one field more', { payload: { fields: [...[['language', 'en']], ['a', '']] as never } }],
	])('with another %s', (_what, change) => {
		expect(fingerprint()).toBe(fingerprint());
		expect(fingerprint(change)).not.toBe(fingerprint());
	});

	it('with another body of JSON', () => {
		const json = (text: string) => fingerprint({ payload: { kind: 'json', text } });
		expect(json('{"text":"a"}')).toBe(json('{"text":"a"}'));
		expect(json('{"text":"a"}')).not.toBe(json('{"text":"b"}'));
	});
});
