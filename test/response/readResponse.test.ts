import type { IBinaryData } from 'n8n-workflow';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { CallTimeouts } from '../../nodes/VoiceSpeech/call/timeouts';
import type { Endpoint } from '../../nodes/VoiceSpeech/endpoint';
import { readResponse, type StoreFile } from '../../nodes/VoiceSpeech/response/readResponse';
import { ServiceResponse } from '../../nodes/VoiceSpeech/response/serviceResponse';
import { createWav, rawSamples } from '../support/media/recordings';

// test/engine/responses.test.ts tests responses on n8n's engine, with n8n's storage.

const key = 'eak_test_abcdefgh';

interface Stored {
	bytes: Buffer;
	fileName: string;
	mimeType: string;
}

interface Received {
	returns: Endpoint['returns'];
	body: Buffer | string | Readable;
	type?: string;
	status?: number;
	encoding?: string;
	store?: StoreFile;
}

/** Reads a response, and returns the output and the files that were stored. */
async function read({ returns, body, type = '', status = 200, encoding = '', store }: Received) {
	const timeouts = new CallTimeouts({ responseStart: 0 }, undefined);
	const stored: Stored[] = [];
	const storeHere: StoreFile = async (stream, fileName, mimeType) => {
		stored.push({ bytes: await buffer(stream), fileName, mimeType });
		return { id: String(stored.length) } as unknown as IBinaryData;
	};
	const stream = body instanceof Readable ? body : Readable.from([Buffer.from(body)]);
	const headers = { 'content-type': type, 'content-encoding': encoding };
	try {
		const received = { statusCode: status, headers, body: stream };
		const output = await readResponse(
			await ServiceResponse.open(received, timeouts),
			{ path: '/ai/amd', input: 'text', returns },
			{ fileName: 'Hello', fieldName: 'speech', requestDescription: { voiceId: 'vc_1' } },
			(text) => text.replaceAll(key, 'eak_test_***'),
			store ?? storeHere,
		);
		return { output, stored };
	} finally {
		timeouts.finish();
	}
}

const wav = createWav(0.1);
const pdf = Buffer.from('%PDF-1.7\nabc');
const binary = Buffer.from([0, 1, 2, 3, 0xff, 0xfe]);

describe('a response of an operation that promises JSON', () => {
	it('is output as its fields, without the key', async () => {
		const { output } = await read({ returns: 'json', body: `{"text":"${key}"}` });
		expect(output).toEqual({ json: { text: 'eak_test_***' } });
	});

	it.each([
		{ what: 'HTML', body: '<html><p>Sorry</p></html>', found: 'HTML', quoted: 'Sorry' },
		{ what: 'text', body: 'Sorry', found: 'something else', quoted: 'Sorry' },
		{
			what: 'text with the key',
			body: `No ${key}`,
			found: 'something else',
			quoted: 'No eak_test_***',
		},
		{
			what: 'broken JSON',
			body: '{"text":',
			found: 'incomplete or invalid data',
			quoted: '{"text":',
		},
	])('is an error that quotes the response if it is $what', async ({ body, found, quoted }) => {
		await expect(read({ returns: 'json', body, type: `a/b;${key}` })).rejects.toMatchObject({
			message: `The service returned ${found} instead of JSON`,
			quote: `The response starts with '${quoted}'. The Content-Type of the response is 'a/b;eak_test_***'.`,
			debit: 'possible',
		});
	});

	it('is an error without a quote if it is empty', async () => {
		await expect(read({ returns: 'json', body: '' })).rejects.toMatchObject({
			message: 'The service returned an empty response instead of JSON',
			quote: '',
		});
	});
});

describe('a response of an operation that promises audio', () => {
	it('is stored, and described with what was requested', async () => {
		const { output, stored } = await read({ returns: 'audio', body: wav, type: 'audio/wav' });
		expect(stored).toEqual([{ bytes: wav, fileName: 'Hello.wav', mimeType: 'audio/wav' }]);
		expect(output).toEqual({
			json: { fileName: 'Hello.wav', mimeType: 'audio/wav', bytes: wav.length, voiceId: 'vc_1' },
			files: { speech: { id: '1' } },
		});
	});

	it('is an error if it is JSON', async () => {
		const reading = read({ returns: 'audio', body: '{"a":1}', type: 'audio/wav' });
		await expect(reading).rejects.toThrow('The service returned JSON instead of audio');
	});

	it('is paid, and an error with the words of n8n, if n8n cannot store it', async () => {
		const store = async () => await Promise.reject(new Error('The disk is full.'));
		await expect(read({ returns: 'audio', body: wav, store })).rejects.toMatchObject({
			message: 'The service returned the file, but n8n could not store it',
			description: expect.stringMatching(/^The disk is full\. Free storage space, /),
			debit: 'debited',
		});
	});

	it('is an error with the fault of the connection if it breaks off while it is stored', async () => {
		const fault = new Error('aborted');
		async function* readAndFail() {
			yield Buffer.concat([wav, Buffer.alloc(100_000)]);
			throw fault;
		}
		const body = Readable.from(readAndFail());
		await expect(read({ returns: 'audio', body })).rejects.toBe(fault);
	});
});

describe('a response of an operation that promises nothing', () => {
	it.each([
		{ what: 'nothing', body: '', json: {} },
		{ what: 'JSON', body: '{"a":[1]}', json: { a: [1] } },
		{ what: 'text', body: `Sorry ${key}`, json: { data: 'Sorry eak_test_***' } },
		{ what: 'HTML', body: '<html>a</html>', json: { data: '<html>a</html>' } },
	])('is output as $what', async ({ body, json }) => {
		const { output, stored } = await read({ returns: 'any', body });
		expect(output).toEqual({ json });
		expect(stored).toEqual([]);
	});

	it.each([
		{ what: 'audio', body: wav, type: '', fileName: 'Hello.wav', mimeType: 'audio/wav' },
		{
			what: 'audio without a header',
			body: rawSamples,
			type: 'audio/l16;rate=8000',
			fileName: 'Hello.pcm',
			mimeType: 'audio/l16;rate=8000',
		},
		{
			what: 'a PDF file, which begins with text',
			body: pdf,
			type: 'a/b',
			fileName: 'Hello.pdf',
			mimeType: 'application/pdf',
		},
		{
			what: 'an unknown file',
			body: binary,
			type: 'a/b;c=d',
			fileName: 'Hello.bin',
			mimeType: 'a/b',
		},
		{
			what: 'an unknown file without a type',
			body: binary,
			type: '',
			fileName: 'Hello.bin',
			mimeType: 'application/octet-stream',
		},
	])('is stored if it is $what', async ({ body, type, fileName, mimeType }) => {
		const { output, stored } = await read({ returns: 'any', body, type });
		expect(stored).toEqual([{ bytes: body, fileName, mimeType }]);
		expect(output.json).toMatchObject({ fileName, mimeType, bytes: body.length });
	});
});

it.each([
	{ what: 'only a part', status: 206, encoding: '', message: 'only a part of the response (206)' },
	{ what: 'compressed', status: 200, encoding: 'br', message: 'The response is compressed (br)' },
])('a response that is $what is an error', async ({ status, encoding, message }) => {
	const body = Readable.from([Buffer.from('{}')]);
	const reading = read({ returns: 'json', body, status, encoding });
	await expect(reading).rejects.toMatchObject({
		message: expect.stringContaining(message),
		description: 'If it happens again, ask your provider.',
		debit: 'possible',
	});
});
