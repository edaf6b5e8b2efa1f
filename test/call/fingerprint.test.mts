import {
	computeFingerprint,
	type Field,
	type Fingerprint,
	isSameRequest,
	type Payload,
	type PreparedRequest,
} from '../../nodes/VoiceSpeech/call/request.ts';
import { optionDefinitions } from '../../nodes/VoiceSpeech/descriptions/options.ts';
import { JsonText } from '../../nodes/VoiceSpeech/text/json.ts';

/** Differences from a usual request. */
interface Change {
	credential?: object;
	options?: object;
	payload?: object;
}

/** The fingerprint of a request, in which something has been changed. */
function createFingerprint({ credential: changed, options, payload }: Change): Fingerprint {
	/** The parts of all kinds of payloads. A kind without a part ignores it. */
	const parts = {
		kind: 'audioForm',
		text: '{"text":"a"}',
		fields: [['language', 'en']],
		audio: { identity: ['a.wav', '7'] },
	};
	const request = {
		credential: { baseUrl: 'http://127.0.0.1', apiKey: 'one', environment: 'sandbox', ...changed },
		options: { outputFileName: '', fileFieldName: 'file', ...options },
		payload: { ...parts, ...payload },
	};
	return computeFingerprint(request as unknown as PreparedRequest);
}

/** Whether a change makes another request. Requests without a difference are the same. */
function makesAnother(change: Change, unchanged: Change = {}): boolean {
	for (const each of [change, unchanged]) {
		expect(isSameRequest(createFingerprint(each), createFingerprint(each))).toBe(true);
	}
	return !isSameRequest(createFingerprint(change), createFingerprint(unchanged));
}

describe('the fingerprint of a request', () => {
	it('differs for another base URL, and for another key', () => {
		expect(makesAnother({ credential: { baseUrl: 'http://127.0.0.2' } })).toBe(true);
		expect(makesAnother({ credential: { apiKey: 'two' } })).toBe(true);
	});

	it('differs for another value of exactly the options that change what is sent', () => {
		const differing = Object.keys(optionDefinitions).filter((name) =>
			makesAnother({ options: { [name]: 'another value' } }),
		);
		expect(differing).toEqual([
			'fileFieldName',
			'headers',
			'otherFormats',
			'queryParameters',
			'textFieldName',
		]);
	});

	it('differs for a form and for JSON with the same content', () => {
		const fields: Field[] = [['language', 'en']];
		const json = { kind: 'json', text: JSON.stringify(fields) };
		expect(makesAnother({ payload: { kind: 'form', fields } }, { payload: json })).toBe(true);
	});
});

const otherText = { text: '{"text":"b"}' };
const otherAudio = { audio: { identity: ['a.wav', '8'] } };
const otherFields = [
	{ fields: [['language', 'de']] },
	{ fields: [['language', new JsonText('"en"')]] },
	{ fields: [['lang', 'en']] },
	{ fields: Object.entries({ language: 'en', a: '' }) },
];

it.each<[kind: Payload['kind'], changes: object[]]>([
	['json', [otherText]],
	['form', otherFields],
	['audioForm', [...otherFields, otherAudio]],
	['audioBody', [otherAudio]],
])('the fingerprint of a request of the kind %s differs for each part', (kind, changes) => {
	for (const part of changes) {
		expect(makesAnother({ payload: { kind, ...part } }, { payload: { kind } })).toBe(true);
	}
});
