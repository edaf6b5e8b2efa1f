import type { IBinaryData } from 'n8n-workflow';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { CallTimeouts } from '../../nodes/VoiceSpeech/call/timeouts.ts';
import type { DebitStatus } from '../../nodes/VoiceSpeech/service/statusMeaning.ts';
import type { Endpoint } from '../../nodes/VoiceSpeech/service/endpoint.ts';
import {
	headBytes,
	maxCutKeyLength,
	maxKeptTextBytes,
	maxPaddingBytes,
} from '../../nodes/VoiceSpeech/limits.ts';
import { readResponse, type StoreFile } from '../../nodes/VoiceSpeech/response/readResponse.ts';
import { ServiceResponse } from '../../nodes/VoiceSpeech/response/serviceResponse.ts';
import { createWav, rawSamples } from '../support/media/recordings.mts';

// test/engine/responses.test.mts tests responses on n8n's engine, with n8n's storage.

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
	/** What was stored is added to it. */
	stored?: Stored[];
}

/** Reads a response, and returns the output and the files that were stored. */
async function read(received: Received) {
	const { returns, body, type = '', status = 200, encoding = '', store, stored = [] } = received;
	const timeouts = new CallTimeouts({ responseStart: 0 }, undefined);
	const storeHere: StoreFile = async (stream, fileName, mimeType) => {
		stored.push({ bytes: await buffer(stream), fileName, mimeType });
		return { id: String(stored.length) } as unknown as IBinaryData;
	};
	const stream = body instanceof Readable ? body : Readable.from([Buffer.from(body)]);
	const headers = { 'content-type': type, 'content-encoding': encoding };
	try {
		const output = await readResponse(
			await ServiceResponse.open({ statusCode: status, headers, body: stream }, timeouts),
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

/** A body that breaks off after these bytes. */
function breakOffAfter(bytes: Buffer | string, fault = new Error('aborted')): Readable {
	async function* readAndFail() {
		yield Buffer.from(bytes);
		throw fault;
	}
	return Readable.from(readAndFail());
}

const wav = createWav(0.1);
const pdf = Buffer.from('%PDF-1.7\nabc');
const png = Buffer.from('\u0089PNG\r\n\u001a\n\0\0', 'latin1');
const binary = Buffer.from([0, 1, 2, 3, 0xff, 0xfe]);
/** Low levels of mu-law that begin like a byte order mark. */
const likeUtf16 = Buffer.from('fffe7ffefefdff7f'.repeat(800), 'hex');

describe('a response of an operation that promises JSON', () => {
	it('is output as its fields, without the key', async () => {
		const { output } = await read({ returns: 'json', body: `{"text":"${key}"}` });
		expect(output).toEqual({ json: { text: 'eak_test_***' } });
	});

	it.each([
		['text', 'Sorry', 'text', 'Sorry'],
		['text with the key', `No ${key}`, 'text', 'No eak_test_***'],
		['broken JSON', '{"text":', 'incomplete or invalid data', '{"text":'],
	])('is an error with its text if it is %s', async (_, body, found, quoted) => {
		await expect(read({ returns: 'json', body, type: `a/b;${key}` })).rejects.toMatchObject({
			message: `The service returned ${found} instead of JSON`,
			description: expect.stringMatching(
				/the item has the response in the field 'responseText'\.$/,
			),
			quote: `The response starts with '${quoted}'. The Content-Type of the response is 'a/b;eak_test_***'.`,
			debit: 'debited',
			kept: { text: quoted },
		});
	});

	it('is an error without a quote if it is empty', async () => {
		const message = 'The service returned an empty response instead of JSON';
		const description = expect.not.stringContaining('responseText') as string;
		const expected = { message, description, quote: '', debit: 'debited', kept: {} };
		await expect(read({ returns: 'json', body: '' })).rejects.toMatchObject(expected);
	});

	it('is an error with a stored file if it is not text', async () => {
		const stored: Stored[] = [];
		const reading = read({ returns: 'json', body: wav, type: 'audio/wav', stored });
		await expect(reading).rejects.toMatchObject({
			message: 'The service returned WAV instead of JSON',
			description: expect.stringContaining("the item has the response as the file 'response'"),
			quote: "The Content-Type of the response is 'audio/wav'.",
			debit: 'debited',
			kept: { file: { id: '1' } },
		});
		expect(stored).toEqual([{ bytes: wav, fileName: 'response.wav', mimeType: 'audio/wav' }]);
	});

	it.each<[what: string, debit: DebitStatus, body: string, type?: string]>([
		['HTML', 'possible', '<html><p>Sorry</p></html>'],
		['XHTML', 'possible', '<?xml version="1.0"?>\n<!DOCTYPE html>'],
		['an HTML element', 'possible', '\n <p>Sorry', 'text/html'],
		['HTML after a comment', 'possible', '<!-- a --><!-- b -->\n<title>Hi'],
		['XML', 'debited', '<?xml version="1.0"?><a/>', 'text/xml'],
		['text declared as HTML', 'debited', 'Sorry', 'text/html'],
		['a subtitle', 'debited', '<tt><head/><body>Hi</body></tt>'],
		['XML with a title', 'debited', '<text><title>Hi</title></text>'],
		['XML named almost as HTML', 'debited', '<body-text>Hi</body-text>'],
	])('was debited unless it may be the page of a proxy: %s, "%s"', async (...row) => {
		const [, debit, body, type] = row;
		const kept = { text: body };
		await expect(read({ returns: 'json', body, type })).rejects.toMatchObject({ debit, kept });
	});

	it('keeps its last character if it is Latin-1', async () => {
		const reading = read({
			returns: 'json',
			body: Buffer.from('né', 'latin1'),
			type: 'text/plain',
		});
		await expect(reading).rejects.toMatchObject({ kept: { text: 'né' } });
	});

	it('may have been debited if its text breaks off, even inside a character', async () => {
		const text = 'é'.repeat(2 * headBytes);
		const body = breakOffAfter(Buffer.concat([Buffer.from(text), Buffer.from('é').subarray(0, 1)]));
		const reading = read({ returns: 'json', body });
		await expect(reading).rejects.toMatchObject({ debit: 'possible', kept: { text } });
	});

	it.each(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'ERR_BROTLI_DECODER_ERROR', 'ERR__ERROR_FORMAT_1'])(
		"was debited, and keeps its text, if n8n's client cannot decompress the rest (%s)",
		async (code) => {
			const text = `{"text":"${'a'.repeat(2 * headBytes)}`;
			const body = breakOffAfter(text, Object.assign(new Error('wrong'), { code }));
			const reading = read({ returns: 'json', body });
			await expect(reading).rejects.toMatchObject({
				message: `The response cannot be decompressed (${code}: wrong)`,
				debit: 'debited',
				kept: { text },
			});
		},
	);

	it("may have been debited if n8n's client cannot decompress the rest of a web page", async () => {
		const fault = Object.assign(new Error('wrong'), { code: 'Z_DATA_ERROR' });
		const body = breakOffAfter(`<html>${'a'.repeat(2 * headBytes)}`, fault);
		const reading = read({ returns: 'json', body });
		await expect(reading).rejects.toMatchObject({ debit: 'possible' });
	});

	it.each([
		{ what: 'that begins like JSON', start: '{"a":1}\n' },
		{ what: 'in UTF-16 that cannot be JSON', start: '\ufeffdata: ', encoding: 'utf16le' as const },
	])('keeps the first part of a long text $what', async ({ start, encoding }) => {
		// The key is at the limit, and only a part of it is read.
		const unit = encoding === undefined ? 1 : 2;
		const length = maxKeptTextBytes / unit - start.length - key.length / 2;
		const text = `${start}${'a'.repeat(length)}${key}${'b'.repeat(9999)}`;
		const body = Buffer.from(text, encoding);
		const error = await read({ returns: 'json', body }).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({
			description: expect.stringContaining('the first 16 MiB of the response in the field'),
			debit: 'debited',
			kept: { isCut: true },
		});
		const { kept } = error as { kept: { text: string } };
		expect(text.replace('\ufeff', '').startsWith(kept.text)).toBe(true);
		expect(kept.text.length).toBeGreaterThan(length - 2 * maxCutKeyLength);
	});
});

const startLike = (...start: number[]) => Buffer.concat([Buffer.from(start), rawSamples]);
const swapped = Buffer.from(likeUtf16).swap16();

/** Audio without a header whose first bytes look like something else. */
const soundsLikeOthers = [
	{ what: 'silence', body: Buffer.alloc(6000, 0xff), type: 'audio/basic', extension: 'ulaw' },
	{ what: 'like text', body: Buffer.alloc(6000, 0x7f), type: 'audio/basic', extension: 'ulaw' },
	{ what: 'like UTF-16', body: likeUtf16, type: 'audio/basic', extension: 'ulaw' },
	{ what: 'like UTF-16', body: swapped, type: 'audio/PCMU', extension: 'ulaw' },
	{ what: 'like JPEG', body: startLike(0xff, 0xd8, 0xff), type: 'audio/pcm', extension: 'pcm' },
	{ what: 'like gzip', body: startLike(0x1f, 0x8b, 8), type: 'audio/pcm', extension: 'pcm' },
].map(({ extension, ...row }) => ({ ...row, fileName: `Hello.${extension}` }));

describe('a response of an operation that promises audio', () => {
	it('is stored, and described with what was requested', async () => {
		const { output, stored } = await read({ returns: 'audio', body: wav, type: 'audio/wav' });
		expect(stored).toEqual([{ bytes: wav, fileName: 'Hello.wav', mimeType: 'audio/wav' }]);
		expect(output).toEqual({
			json: { fileName: 'Hello.wav', mimeType: 'audio/wav', bytes: wav.length, voiceId: 'vc_1' },
			files: { speech: { id: '1' } },
		});
	});

	it.each([
		{ what: 'WAV', body: wav, type: '', fileName: 'Hello.wav', isKnown: true },
		{ what: 'samples', body: rawSamples, type: 'audio/pcm', fileName: 'Hello.pcm', isKnown: true },
		{ what: 'samples', body: rawSamples, type: 'audio/wav', fileName: 'Hello.wav', isKnown: false },
		...soundsLikeOthers.map((row) => ({ ...row, isKnown: true })),
		{ what: 'a picture', body: png, type: 'image/png', fileName: 'Hello.png', isKnown: false },
	])('has a warning unless its format is known: $what as $type', async (row) => {
		const { body, type, fileName, isKnown } = row;
		const { output, stored } = await read({ returns: 'audio', body, type });
		expect(stored).toMatchObject([{ bytes: body, fileName }]);
		const formatWarning = expect.stringContaining('was not recognized') as string;
		expect('formatWarning' in output.json).toBe(!isKnown);
		if (!isKnown) expect(output).toMatchObject({ hasUnknownFormat: true, json: { formatWarning } });
	});

	it('is an error with its text if it is text after more white space than is skipped', async () => {
		const text = `${' '.repeat(maxPaddingBytes + 2 * headBytes)}Sorry`;
		const pieces = text.match(new RegExp(`.{1,${headBytes}}`, 'g'))!;
		const body = Readable.from(pieces.map((piece) => Buffer.from(piece)));
		const error = await read({ returns: 'audio', body }).catch((thrown: unknown) => thrown);
		expect(error).toHaveProperty('message', 'The service returned text instead of audio');
		const { kept } = error as { kept: { text: string } };
		expect(kept.text.length).toBe(text.length);
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
		const body = breakOffAfter(Buffer.concat([wav, Buffer.alloc(100_000)]), fault);
		await expect(read({ returns: 'audio', body })).rejects.toBe(fault);
	});
});

describe('a response of an operation that promises nothing', () => {
	it.each([
		['nothing', ' \n', {}],
		['JSON', '{"a":[1]}', { a: [1] }],
		['text', `Sorry ${key}`, { data: 'Sorry eak_test_***' }],
		['HTML', '<html>a</html>', { data: '<html>a</html>' }],
		['text like CAF', 'caffeine', { data: 'caffeine' }],
		['text like JSON', '[1] yes', { data: '[1] yes' }],
		['text cut in a letter', Buffer.from('caf\xc3', 'latin1'), { data: 'cafÃ' }],
	])('is output as %s', async (_, body, json) => {
		const { output, stored } = await read({ returns: 'any', body });
		expect(output).toEqual({ json });
		expect(stored).toEqual([]);
	});

	const samplesType = 'audio/l16;rate=8000';
	const unknown = 'application/octet-stream';

	it.each<[what: string, body: Buffer, type: string, fileName: string, mimeType: string]>([
		['audio', wav, '', 'Hello.wav', 'audio/wav'],
		['audio without a header', rawSamples, samplesType, 'Hello.pcm', samplesType],
		['a PDF file, which begins with text', pdf, 'a/b', 'Hello.pdf', 'application/pdf'],
		['an unknown file', binary, 'a/b;c=d', 'Hello.bin', 'a/b'],
		['an unknown file without a type', binary, '', 'Hello.bin', unknown],
	])('is stored if it is %s', async (_, body, type, fileName, mimeType) => {
		const { output, stored } = await read({ returns: 'any', body, type });
		expect(stored).toEqual([{ bytes: body, fileName, mimeType }]);
		expect(output.json).toMatchObject({ fileName, mimeType, bytes: body.length });
	});
});

const partial = { status: 206, message: 'only a part of the response (206)' };
const compressed = { encoding: 'br', message: 'The response is compressed (br)' };

it.each([
	['only a part of a text', Buffer.from('{}'), partial, { text: '{}' }, []],
	['only a part of audio', wav, partial, { file: { id: '1' } }, ['response.wav']],
	['compressed', binary, compressed, { file: { id: '1' } }, ['response.bin']],
])('a response that is %s is an error that keeps it', async (_, body, change, kept, files) => {
	const { message, ...received } = change;
	const stored: Stored[] = [];
	const type = 'application/json';
	const reading = read({ returns: 'json', body, type, stored, ...received });
	await expect(reading).rejects.toMatchObject({
		message: expect.stringContaining(message),
		description: expect.stringContaining('Ask your provider, or whoever runs a proxy in between.'),
		debit: 'debited',
		kept,
	});
	expect(stored.map(({ fileName }) => fileName)).toEqual(files);
});
