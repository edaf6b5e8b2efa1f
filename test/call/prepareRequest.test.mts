import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../nodes/VoiceSpeech/call/item.ts';
import type { PreparedRequest } from '../../nodes/VoiceSpeech/call/request.ts';
import { prepareRequest } from '../../nodes/VoiceSpeech/call/prepareRequest.ts';
import type { Operation } from '../../nodes/VoiceSpeech/descriptions/operation.ts';
import { analyzeSentiment } from '../../nodes/VoiceSpeech/resources/language/analyzeSentiment.ts';
import { speechToText } from '../../nodes/VoiceSpeech/resources/speech/speechToText.ts';
import { textToSpeech } from '../../nodes/VoiceSpeech/resources/speech/textToSpeech.ts';
import { clone } from '../../nodes/VoiceSpeech/resources/voice/clone.ts';
import { stubKey, createStubItem, stubCredential, StubAudio } from '../support/stubItem.mts';

type Parameters = Record<string, unknown>;

const source = {
	isRemote: false,
	identity: ['a.wav'],
	check: async () => {},
	open: async () => await Promise.reject(new Error()),
};

const withFile: Partial<Item> = { chooseFile: () => source };

async function prepare(
	operation: Operation,
	parameters: Parameters = {},
	functions = withFile,
): Promise<PreparedRequest> {
	return await prepareRequest(createStubItem(operation, parameters, functions));
}

/** The text of the JSON that is sent. */
async function readSentJson(
	operation: Operation,
	parameters: Parameters,
): Promise<string | undefined> {
	const { payload } = await prepare(operation, parameters);
	return payload.kind === 'json' ? payload.text : undefined;
}

/** The parts of the form that is sent, without the file. */
async function readSentForm(operation: Operation, parameters: Parameters = {}) {
	const { payload } = await prepare(operation, parameters);
	return 'fields' in payload ? payload.fields : undefined;
}

const speak = { text: 'Hello', voiceId: 'vc_1' };
const audio = { inputType: 'audio' };

/** Prepares a request with a key of this environment where these keys are allowed. */
async function prepareWithKey(environment: string, allowedEnvironment: string) {
	const prefix = environment === 'live' ? 'eak_live_' : 'eak_test_';
	const own = { ...stubCredential, environment, apiKey: `${prefix}abcdefgh` };
	const parameters = { ...speak, allowedEnvironment };
	return await prepare(textToSpeech, parameters, { readCredential: async () => own });
}

describe('prepareRequest', () => {
	it.each([
		{ operation: speechToText, input: 'a file', parameters: {}, kind: 'audioForm' },
		{ operation: clone, input: 'a file', parameters: { voiceName: 'Anna' }, kind: 'audioForm' },
		{ operation: textToSpeech, input: 'a text', parameters: speak, kind: 'json' },
		{ operation: analyzeSentiment, input: 'a file', parameters: audio, kind: 'audioForm' },
		{
			operation: analyzeSentiment,
			input: 'a text',
			parameters: { inputType: 'text' },
			kind: 'json',
		},
		{
			operation: analyzeSentiment,
			input: 'JSON',
			parameters: { inputType: 'json', jsonBody: '{}' },
			kind: 'json',
		},
	])('prepares a request of $operation.value with $input as $kind', async (row) => {
		const { payload } = await prepare(row.operation, row.parameters);
		expect(payload.kind).toBe(row.kind);
	});

	it('keeps the credential itself in the request, and what was read of it', async () => {
		const own = { ...stubCredential };
		const request = await prepare(textToSpeech, speak, { readCredential: async () => own });
		expect(request.credentialData).toBe(own);
		expect(request.credential).toMatchObject({
			apiKey: stubKey,
			environment: 'sandbox',
			baseUrl: 'https://a.example',
		});
	});

	it.each([
		{ allowed: 'any', key: 'sandbox' },
		{ allowed: 'sandbox', key: 'sandbox' },
		{ allowed: 'live', key: 'live' },
	])('prepares a request with a $key key where $allowed keys are allowed', async (row) => {
		const request = await prepareWithKey(row.key, row.allowed);
		expect(request.credential.environment).toBe(row.key);
	});

	it("keeps the item's options and request options in the request", async () => {
		const request = await prepare(speechToText, {
			options: { responseTimeoutSeconds: 7, fileFieldName: ' audio ' },
			requestOptions: { timeout: 1500, proxy: 'http://10.0.0.1:8080' },
		});
		expect(request.options).toMatchObject({ responseTimeoutSeconds: 7, fileFieldName: 'audio' });
		expect(request.connection).toMatchObject({
			timeoutMs: 1500,
			proxy: { href: 'http://10.0.0.1:8080/' },
		});
	});

	it.each([
		{ operation: textToSpeech, parameters: {}, fileName: 'speech' },
		{ operation: textToSpeech, parameters: { options: { outputFileName: 'a' } }, fileName: 'a' },
		{ operation: analyzeSentiment, parameters: {}, fileName: 'audio' },
		// Speech to text returns no file.
		{
			operation: speechToText,
			parameters: { options: { outputFileName: 'a' } },
			fileName: 'audio',
		},
	])('names the output file of $operation.value "$fileName"', async (row) => {
		const { outputFile } = await prepare(row.operation, { ...speak, ...row.parameters });
		expect(outputFile.fileName).toBe(row.fileName);
	});

	it.each([
		{ parameter: 'voice', fieldName: 'voice' },
		{ parameter: ' voice ', fieldName: 'voice' },
		{ parameter: '', fieldName: 'data' },
		{ parameter: null, fieldName: 'data' },
	])(
		'puts the output file into the field $fieldName if the parameter is "$parameter"',
		async (row) => {
			const parameters = { ...speak, outputPropertyName: row.parameter };
			expect((await prepare(textToSpeech, parameters)).outputFile.fieldName).toBe(row.fieldName);
		},
	);

	it('reports the voice and the number of code points of text to speech as they are sent', async () => {
		const readRequestFields = async (parameters: Parameters) =>
			(await prepare(textToSpeech, { ...speak, ...parameters })).outputFile.requestDescription;
		expect(await readRequestFields({ text: 'né👋🏽', voiceId: ' vc_2 ' })).toEqual({
			voiceId: 'vc_2',
			characters: 4,
		});
		const replaced: IDataObject[] = [
			{ name: 'text', value: 'Good evening' },
			{ name: 'voice_id', type: 'json', value: '{"name":"Anna"}' },
		];
		expect(await readRequestFields({ 'extraFields.field': replaced })).toEqual({
			voiceId: { name: 'Anna' },
			characters: 12,
		});
		const renamed = { textFieldName: 'input.text' };
		expect(await readRequestFields({ text: 'four', options: renamed })).toMatchObject({
			characters: 4,
		});
	});
});

describe('a request with texts', () => {
	it('has a trimmed Language and Voice ID, and the text as it was given', async () => {
		const language = ' en\n';
		expect(await readSentForm(speechToText, { language })).toEqual([['language', 'en']]);
		expect(await readSentJson(textToSpeech, { text: ' Hi \n', voiceId: '\tvc_1 ' })).toBe(
			'{"text":" Hi \\n","voice_id":"vc_1"}',
		);
		expect(await readSentJson(analyzeSentiment, { text: ' Hi', language })).toBe(
			'{"text":" Hi","language":"en"}',
		);
	});

	it.each([undefined, null, '', ' \n'])('has no empty Language (%p)', async (language) => {
		const parameters = language === undefined ? {} : { language };
		expect(await readSentForm(speechToText, parameters)).toEqual([]);
	});

	it.each([
		{
			what: 'white space',
			label: 'Text',
			operation: textToSpeech,
			parameters: { ...speak, text: ' \n' },
		},
		{
			what: 'null',
			label: 'Text',
			operation: analyzeSentiment,
			parameters: { text: null },
		},
		{
			what: 'a space',
			label: 'Voice ID',
			operation: textToSpeech,
			parameters: { ...speak, voiceId: ' ' },
		},
		{
			what: 'no value',
			label: 'Voice ID',
			operation: textToSpeech,
			parameters: { text: 'Hello' },
		},
		{
			what: 'an empty text',
			label: 'Voice Name',
			operation: clone,
			parameters: { voiceName: '' },
		},
	])(
		'is rejected with $what as $label of $operation.value',
		async ({ label, operation, parameters }) => {
			await expect(prepare(operation, parameters)).rejects.toMatchObject({
				message: `'${label}' is empty`,
				description: 'Fill it in, or check its expression.',
			});
		},
	);

	describe.each([
		{ what: 'a list', value: ['en'] },
		{ what: 'an object', value: { en: 1 } },
	])('is rejected if an expression returns $what', ({ what, value }) => {
		it.each([
			{ label: 'Language', operation: speechToText, parameters: { language: value } },
			{ label: 'Language', operation: analyzeSentiment, parameters: { language: value } },
			{ label: 'Voice ID', operation: textToSpeech, parameters: { ...speak, voiceId: value } },
			{ label: 'Voice Name', operation: clone, parameters: { voiceName: value } },
			{
				label: 'Audio URL',
				operation: speechToText,
				parameters: { audioSource: 'url', audioUrl: value },
			},
			{ label: 'Text', operation: textToSpeech, parameters: { ...speak, text: value } },
			{ label: 'Text', operation: analyzeSentiment, parameters: { text: value } },
			{
				label: 'Output Data Field Name',
				operation: textToSpeech,
				parameters: { ...speak, outputPropertyName: value },
			},
		])('as $label of $operation.value', async (row) => {
			const message = `'${row.label}' must be a text, but its expression returns ${what}`;
			await expect(prepare(row.operation, row.parameters)).rejects.toThrow(message);
		});
	});
});

describe('a request with extra fields', () => {
	const stubExtraFields = (...field: IDataObject[]) => ({ 'extraFields.field': field });

	it('has them in place of standard fields of the same name, in JSON and in forms', async () => {
		const parameters = { language: 'en', ...stubExtraFields({ name: 'language', value: 'de' }) };
		expect(await readSentForm(speechToText, parameters)).toEqual([['language', 'de']]);
		expect(await readSentJson(analyzeSentiment, parameters)).toBe(
			'{"text":"Hello","language":"de"}',
		);
	});

	// test/call/fields.test.mts tests null in JSON.
	it('has an empty text for JSON null in a form', async () => {
		const jsonNull = stubExtraFields({ name: 'language', type: 'json', value: 'null' });
		expect(await readSentForm(speechToText, jsonNull)).toEqual([['language', '']]);
	});

	it('needs no file if an extra field replaces it', async () => {
		const parameters = stubExtraFields({ name: 'file', value: 'https://a.example/b.wav' });
		const { payload } = await prepare(speechToText, parameters, {});
		expect(payload).toMatchObject({
			kind: 'form',
			fields: [['file', 'https://a.example/b.wav']],
		});
	});

	it('is rejected if a required parameter is empty, although an extra field replaces it', async () => {
		const parameters = {
			text: ' ',
			voiceId: 'vc_1',
			...stubExtraFields({ name: 'text', value: 'a' }),
		};
		await expect(prepare(textToSpeech, parameters)).rejects.toThrow("'Text' is empty");
	});
});

it.each([
	{ operation: clone, option: 'fileFieldName', name: 'name', label: 'File Field Name' },
	{ operation: speechToText, option: 'fileFieldName', name: 'language', label: 'File Field Name' },
	{ operation: textToSpeech, option: 'textFieldName', name: 'voice_id', label: 'Text Field Name' },
	{
		operation: analyzeSentiment,
		option: 'textFieldName',
		name: 'language',
		label: 'Text Field Name',
	},
])(
	'rejects the name $name for $option in $operation.value, which is another field',
	async (row) => {
		const parameters = { ...speak, voiceName: 'Anna', options: { [row.option]: ` ${row.name} ` } };
		const message = `The option '${row.label}' is '${row.name}', which is the name of another field`;
		await expect(prepare(row.operation, parameters)).rejects.toThrow(message);
	},
);

describe('the audio', () => {
	it('is the file of the item', async () => {
		const { payload } = await prepare(speechToText);
		expect(payload).toMatchObject({ audio: source });
	});

	it('is what the address leads to, fetched with the request options of the item', async () => {
		const fetchedWith: unknown[] = [];
		const createAudioFetcher: Item['createAudioFetcher'] = (connection) => {
			fetchedWith.push(connection);
			return createStubItem(speechToText).createAudioFetcher(connection);
		};
		const parameters = {
			audioSource: 'url',
			audioUrl: ' https://b.example/a.wav\n',
			requestOptions: { allowUnauthorizedCerts: true },
		};
		const { payload, connection } = await prepare(speechToText, parameters, { createAudioFetcher });
		expect(payload).toMatchObject({
			audio: { isRemote: true, identity: ['https://b.example/a.wav'] },
		});
		expect(connection.skipSslCertificateValidation).toBe(true);
		expect(fetchedWith).toEqual([connection]);
	});

	it('is not opened, fetched or checked', async () => {
		const audio = new StubAudio();
		let fetches = 0;
		const functions: Partial<Item> = {
			chooseFile: () => audio,
			createAudioFetcher: () => async () => {
				fetches++;
				return await Promise.reject(new Error('fetched'));
			},
		};
		await prepare(speechToText, {}, functions);
		const fromUrl = { audioSource: 'url', audioUrl: 'https://b.example' };
		await prepare(speechToText, fromUrl, functions);
		expect(audio).toMatchObject({ checks: 0, openings: 0 });
		expect(fetches).toBe(0);
	});
});

describe('a request with rejected input', () => {
	it.each([
		{ label: 'Input Type', operation: analyzeSentiment, parameters: { inputType: 'Text' } },
		{ label: 'Audio Source', operation: speechToText, parameters: { audioSource: 'URL' } },
		{
			label: 'Other Formats',
			operation: speechToText,
			parameters: { options: { otherFormats: 'Reject' } },
		},
	])(
		'is not prepared if $label is not one of its choices',
		async ({ label, operation, parameters }) => {
			await expect(prepare(operation, parameters)).rejects.toThrow(
				new RegExp(`^'${label}' is '.*', which is not one of its choices$`),
			);
		},
	);

	it.each([
		{ allowed: 'sandbox', key: 'live' },
		{ allowed: 'live', key: 'sandbox' },
	])('is not prepared with a $key key where $allowed keys are allowed', async (row) => {
		const message = `This node allows ${row.allowed} keys only, and the credential has a ${row.key} key`;
		await expect(prepareWithKey(row.key, row.allowed)).rejects.toThrow(message);
	});

	it("is not prepared if an expression yields another value for 'Allowed Keys'", async () => {
		const message = "'Allowed Keys' is 'both', which is not one of its choices";
		await expect(prepareWithKey('sandbox', 'both')).rejects.toThrow(message);
	});

	it('is not prepared if the request options would send the key unencrypted over the internet', async () => {
		const own = { ...stubCredential, baseUrl: 'http://10.0.0.5' };
		const preparing = prepare(
			textToSpeech,
			{ ...speak, requestOptions: { proxy: 'http://proxy.example.com:3128' } },
			{ readCredential: async () => own },
		);
		await expect(preparing).rejects.toThrow('would get the key unencrypted');
	});

	it.each([
		{ thrown: 'No such node', message: 'No such node' },
		{ thrown: { message: 7, description: 8 }, message: '[object Object]' },
		{ thrown: undefined, message: 'undefined' },
	])('fails with the message $message if an expression throws $thrown', async (row) => {
		const read = (): never => {
			throw row.thrown;
		};
		const expected = { message: row.message, description: '' };
		await expect(prepare(textToSpeech, speak, { read })).rejects.toMatchObject(expected);
	});

	it("fails in n8n's own words if n8n cannot read a parameter or the credential", async () => {
		const fault = Object.assign(new Error('Referenced node is unexecuted'), {
			description: 'Run it.',
		});
		const throwFault = (): never => {
			throw fault;
		};
		const expected = {
			message: 'Referenced node is unexecuted',
			description: 'Run it.',
		};
		await expect(prepare(textToSpeech, speak, { read: throwFault })).rejects.toMatchObject(
			expected,
		);
		const readCredential = async () => await Promise.reject(fault);
		await expect(prepare(textToSpeech, speak, { readCredential })).rejects.toMatchObject(expected);
		const rejectCredential = async () => await Promise.reject(new Error('No such credential'));
		await expect(
			prepare(textToSpeech, speak, { readCredential: rejectCredential }),
		).rejects.toMatchObject({
			message: 'No such credential',
			description: '',
		});
	});
});
