import {
	computeFingerprint,
	isSameRequest,
	type Fingerprint,
} from '../../nodes/VoiceSpeech/call/fingerprint';
import type { Payload, PreparedRequest } from '../../nodes/VoiceSpeech/call/request';
import { JsonText } from '../../nodes/VoiceSpeech/text/json';

interface Change {
	credential?: object;
	options?: object;
	payload?: Partial<Payload>;
}

/** The fingerprint of a request of Speech to Text, in which something has been changed. */
function createFingerprint({ credential: changed, options, payload }: Change = {}): Fingerprint {
	const request = {
		credential: { baseUrl: 'http://127.0.0.1', apiKey: 'one', environment: 'sandbox', ...changed },
		options: { outputFileName: '', fileFieldName: 'file', ...options },
		payload: {
			kind: 'audioForm',
			audio: { identity: ['a.wav', 7] },
			fields: [['language', 'en']],
			...payload,
		},
	};
	return computeFingerprint(request as unknown as PreparedRequest);
}

describe('the fingerprint of a request', () => {
	it.each<{ what: string; change: Change }>([
		{ what: 'base URL', change: { credential: { baseUrl: 'http://127.0.0.2' } } },
		{ what: 'key', change: { credential: { apiKey: 'two' } } },
		{ what: 'name of the audio field', change: { options: { fileFieldName: 'audio' } } },
		{ what: 'name of the text field', change: { options: { textFieldName: 'input' } } },
		{ what: 'header', change: { options: { headers: [{ name: 'a', value: 'b' }] } } },
		{
			what: 'query parameter',
			change: { options: { queryParameters: [{ name: 'a', value: 'b' }] } },
		},
		{ what: 'Format Check', change: { options: { formatCheck: 'off' } } },
		{ what: 'Convert Audio', change: { options: { convertAudio: false } } },
		{ what: 'audio', change: { payload: { audio: { identity: ['a.wav', 8] } as never } } },
		{ what: 'payload without audio', change: { payload: { kind: 'form' } } },
		{ what: 'value of a field', change: { payload: { fields: [['language', 'de']] } } },
		{
			what: 'type of a value',
			change: { payload: { fields: [['language', new JsonText('"en"')]] } },
		},
		{ what: 'name of a field', change: { payload: { fields: [['lang', 'en']] } } },
		{
			what: 'number of fields',
			change: { payload: { fields: Object.entries({ language: 'en', a: '' }) } },
		},
	])('differs for another $what', ({ change }) => {
		expect(isSameRequest(createFingerprint(), createFingerprint())).toBe(true);
		expect(isSameRequest(createFingerprint(change), createFingerprint())).toBe(false);
		expect(isSameRequest(createFingerprint(change), createFingerprint(change))).toBe(true);
	});

	it('is the same for another name of the output file, which is not sent', () => {
		const renamed = createFingerprint({ options: { outputFileName: 'a' } });
		expect(isSameRequest(renamed, createFingerprint())).toBe(true);
	});

	it('differs for another JSON body', () => {
		const fingerprintJson = (text: string) =>
			createFingerprint({ payload: { kind: 'json', text } });
		expect(isSameRequest(fingerprintJson('{"text":"a"}'), fingerprintJson('{"text":"a"}'))).toBe(
			true,
		);
		expect(isSameRequest(fingerprintJson('{"text":"a"}'), fingerprintJson('{"text":"b"}'))).toBe(
			false,
		);
	});
});
