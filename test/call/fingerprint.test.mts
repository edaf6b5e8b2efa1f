import type { Field } from '../../nodes/VoiceSpeech/call/fields.ts';
import {
	computeFingerprint,
	type Fingerprint,
	isSameRequest,
	type Payload,
	type PreparedRequest,
} from '../../nodes/VoiceSpeech/call/request.ts';
import { optionDefinitions } from '../../nodes/VoiceSpeech/descriptions/options.ts';
import { JsonText } from '../../nodes/VoiceSpeech/text/json.ts';

/** The parts of all kinds of payloads. A kind without a part ignores it. */
interface PayloadParts {
	kind: Payload['kind'];
	text: string;
	fields: Field[];
	audio: { identity: string[] };
}

interface Change {
	credential?: object;
	options?: object;
	payload?: Partial<PayloadParts>;
}

/** The fingerprint of a request, in which something has been changed. */
function createFingerprint({ credential: changed, options, payload }: Change = {}): Fingerprint {
	const parts: PayloadParts = {
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
		const json = { kind: 'json' as const, text: JSON.stringify(fields) };
		expect(makesAnother({ payload: { kind: 'form', fields } }, { payload: json })).toBe(true);
	});
});

const otherText = { text: '{"text":"b"}' };
const otherAudio = { audio: { identity: ['a.wav', '8'] } };
const otherFields: Array<Partial<PayloadParts>> = [
	{ fields: [['language', 'de']] },
	{ fields: [['language', new JsonText('"en"')]] },
	{ fields: [['lang', 'en']] },
	{ fields: Object.entries({ language: 'en', a: '' }) },
];

it.each<{ kind: Payload['kind']; changes: Array<Partial<PayloadParts>> }>([
	{ kind: 'json', changes: [otherText] },
	{ kind: 'form', changes: otherFields },
	{ kind: 'audioForm', changes: [...otherFields, otherAudio] },
	{ kind: 'audioBody', changes: [otherAudio] },
])('the fingerprint of a request of the kind $kind differs for each part', ({ kind, changes }) => {
	for (const part of changes) {
		expect(makesAnother({ payload: { kind, ...part } }, { payload: { kind } })).toBe(true);
	}
});
