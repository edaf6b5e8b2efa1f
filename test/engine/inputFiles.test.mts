import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { acceptedFormatsText } from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { expectParts, createFilePart } from '../support/expectRequest.mts';
import { fileConvertedToWav, probeBytes, readAudioFile } from '../support/media/audioFiles.mts';
import { createWav } from '../support/media/recordings.mts';
import { n8n } from '../support/n8n.mts';
import { callWav, recording, useNode, type TestFile } from '../support/node.mts';
import {
	speechToTextParameters,
	cloneParameters,
	getDetailsParameters,
	splitParameters,
} from '../support/nodeParameters.mts';
import { unsent } from '../support/outcome.mts';
import {
	respondWithJson,
	respondInTurn,
	respondWithBytes,
} from '../support/servers/scriptedServer.mts';

const node = useNode();

const settings = { binaryMode: 'combined' } as const;

function createFile(bytes: Buffer, fileName: string, mimeType = 'audio/wav'): TestFile {
	return { bytes, fileName, mimeType };
}

/** A file of test/audio/files. */
const getFile = (fileName: string) =>
	createFile(readAudioFile(fileName), fileName, 'audio/x-unknown');

const toBase64 = (bytes: Buffer) => bytes.toString('base64');

/** Sends a file that n8n stores to speech to text. */
const send = async (data: TestFile) =>
	await node.runOnce(speechToTextParameters, { files: { data } });

/** The same for a file that must not be sent. */
const sendRejected = async (data: TestFile) =>
	await node.runUnsent(speechToTextParameters, { files: { data } });

/** An item with the content of a file. */
const createItemInMemory = (data: string, mimeType: string, more: object): INodeExecutionData => ({
	json: {},
	binary: { data: { data, mimeType, ...more } },
});

const createParameters = (binaryPropertyName: string) => ({
	...speechToTextParameters,
	binaryPropertyName,
});

/** A file that belongs to another execution. */
async function storeForeignFile(): Promise<IBinaryData> {
	const bytes = Buffer.concat([recording, Buffer.from('of somebody else')]);
	return await node.engine.storeFile(createFile(bytes, 'secret.wav'));
}

describe("'Input Data Field Name'", () => {
	it('takes a file of an earlier step by an expression', async () => {
		const { request } = await node.runOnce(createParameters("={{ $('Start').item.binary.Call }}"), {
			files: { data: createFile(recording, 'no.wav'), Call: createFile(recording, 'a.wav') },
		});
		expectParts(request, [createFilePart('file', 'a.wav', 'audio/wav', recording)]);
	});

	it('names the first step for an item without files', async () => {
		const setup = { files: {}, firstStep: 'Upload Form' };
		const { message, description } = await node.runUnsent(speechToTextParameters, setup);
		expect(message).toBe('The item has no file');
		expect(description).toContain("such as {{ $('Upload Form').item.binary.data }}");
	});

	it('takes a file whose content is in the item, with null for a name', async () => {
		const item = createItemInMemory(toBase64(recording), 'audio/wav', { fileName: null, id: '' });
		const { request } = await node.runOnce(speechToTextParameters, { items: [item] });
		expectParts(request, [createFilePart('file', 'recording.wav', 'audio/wav', recording)]);
	});
});

describe('audio as a data address in base64', () => {
	const base64 = toBase64(recording);
	const address = `data:audio/wav;base64,${base64}`;
	const sent = createFilePart('file', 'voice.wav', 'audio/wav', recording);

	it.each<[what: string, data: string]>([
		['parameters', `data:audio/wav; codecs=1;name=a.wav;base64,${base64}`],
		['line breaks', address.replace(/.{76}/g, '$&\r\n')],
		['indented lines', address.replace(/.{76}/g, '$& \n\t ')],
		['spaces in place of plus signs, as forms decode it', address.replaceAll('+', ' ')],
		['percent-encoding', `data:audio/wav;base64,${encodeURIComponent(base64)}`],
		['a quoted comma', `data:audio/wav;codecs="1,2";base64,${base64}`],
		['a comma', `data:audio/wav;codecs=vp8,opus;base64,${base64}`],
		['a byte order mark', `\ufeff${address}`],
		['the alphabet of URLs', address.replaceAll('+', '-').replace(/\//g, '_').replace('_', '/')],
	])('is decoded in a file of the item and in a stored text, with %s', async (_, data) => {
		const item = createItemInMemory(data, 'application/octet-stream', { fileName: 'voice' });
		const { request } = await node.runOnce(speechToTextParameters, { items: [item] });
		expectParts(request, [sent]);
		node.service.reset();
		const second = await send(createFile(Buffer.from(data), 'voice', 'text/plain'));
		expectParts(second.request, [sent]);
	});

	// n8n's node Convert to File decodes the prefix too, and loses up to eight bits at the end.
	it.each(['audio/vnd.wave', ''])('is decoded if its prefix for "%s" was too', async (type) => {
		for (const missing of [0, 1, 2]) {
			node.service.reset();
			const bytes = recording.subarray(0, recording.length - missing);
			const decoded = Buffer.from(`data:${type};base64,${toBase64(bytes)}`, 'base64');
			const { request } = await send(createFile(decoded, 'voice', 'application/octet-stream'));
			const [part] = request.parts;
			expect(part?.fileName).toBe('voice.wav');
			const certain = bytes.length - 1;
			expect(part?.body.subarray(0, certain)).toEqual(bytes.subarray(0, certain));
			expect(part?.body.length).toBeLessThanOrEqual(bytes.length);
		}
	});

	it('is rejected if the decoding ended at a parameter of its prefix', async () => {
		const bytes = Buffer.from(`data:audio/webm;codecs=opus;base64,${base64}`, 'base64');
		const file = createFile(bytes, 'file', 'application/octet-stream');
		const { message, description } = await sendRejected(file);
		expect(message).toBe(
			"The file 'file' is not audio: its content is the start of a data address",
		);
		expect(description).toContain("{{ $json.audio.split(',').pop() }}");
	});

	it.each([
		['two pieces that were joined', `${address}==${base64}`],
		['something else in between', `${address}<b>${base64}`],
	])('is refused with %s', async (_, data) => {
		const items = [createItemInMemory(data, 'text/plain', { fileName: 'voice' })];
		const stored = createFile(Buffer.from(data), 'voice', 'text/plain');
		for (const input of [{ items }, { files: { data: stored } }]) {
			const { message } = await node.runUnsent(speechToTextParameters, input);
			expect(message).toBe("The file 'voice' is a data address that is damaged");
		}
	});
});

describe('a file of an unknown format', () => {
	const bytes = Buffer.from('0000000c6a5120200d0a870a', 'hex');

	it.each(['image/jp2', 'application/pdf', 'application/zstd', 'font/woff2'])(
		'is refused if its type is %s',
		async (mimeType) => {
			const { message } = await sendRejected(createFile(bytes, 'scan', mimeType));
			expect(message).toBe(`The file 'scan' is not audio: its type is ${mimeType}`);
		},
	);

	it.each(['application/octet-stream', 'image/x-panasonic-rw', 'text/plain'])(
		'is sent if its type is %s, because it may be samples without a header',
		async (mimeType) => {
			const { request } = await send(createFile(bytes, 'scan', mimeType));
			expect(request.parts[0]?.body).toEqual(bytes);
		},
	);
});

describe('a value in json that looks like a file, in the default binary mode', () => {
	it.each(['body.file', '={{ $json.n }}'])(
		'is not uploaded by its id or its content: %s',
		async (name) => {
			const { id } = await storeForeignFile();
			for (const value of [{ id }, { data: toBase64(recording), fileName: 'a.wav' }]) {
				const file = { ...value, mimeType: 'audio/wav' };
				const json = { n: 'data', data: file, body: { file } } as unknown as IDataObject;
				const { message } = await node.runUnsent(createParameters(name), { items: [{ json }] });
				expect(message).toMatch(/no file/i);
			}
		},
	);
});

describe("if 'Input Data Field Name' yields a value of json", () => {
	it.each([
		{ mode: 'separate', setup: {} },
		{ mode: 'combined', setup: { settings } },
	])('uploads a file in the $mode binary mode', async ({ setup }) => {
		const json = { upload: await storeForeignFile() } as unknown as IDataObject;
		const parameters = createParameters('={{ $json.upload }}');
		const { request } = await node.runOnce(parameters, { json, files: {}, ...setup });
		expect(request.parts[0]?.fileName).toBe('secret.wav');
	});

	it('rejects a file that is not stored', async () => {
		const json = { value: { id: 'filesystem-v2:nothing-there', mimeType: 'audio/wav' } };
		const parameters = createParameters('={{ $json.value }}');
		const { message, description } = await node.runUnsent(parameters, { json, files: {} });
		expect(message).toBe('The audio could not be read');
		// The message of n8n, or that of older versions of n8n.
		expect(description).toMatch(
			/^Check that the file, or the server it comes from, is still available \((File not found|ENOENT: no such file or directory)\)\. This item was not sent/,
		);
	});
});

// test/versions/checks/files.mts tests more of this setting, on versions of n8n that know it.
describe("the workflow setting binaryMode 'combined'", () => {
	if (n8n.hasCombinedBinaryMode === true) {
		it.each(['Call', 'deep[0].Call'])('sends the file %s of json', async (name) => {
			const Call = { ...(await storeForeignFile()) };
			const json = { _files: { Call }, deep: [{ Call }] } as unknown as IDataObject;
			const setup = { items: [{ json }], settings };
			const { request } = await node.runOnce(createParameters(name), setup);
			expect(request.parts[0]?.fileName).toBe('secret.wav');
		});
	} else {
		// As in a workflow of a newer n8n, which was imported.
		it('changes nothing if n8n does not know it', async () => {
			const setup = { files: { Call: callWav }, settings };
			const { request } = await node.runOnce(speechToTextParameters, setup);
			expect(request.parts[0]?.fileName).toBe('call.wav');
		});
	}
});

// test/audio/convert and test/full test what the conversion itself does.

describe('a recording that is converted', () => {
	const opus = getFile(fileConvertedToWav.file);

	it('is sent as WAV with 16 kHz and one channel', async () => {
		const { request } = await send({ ...opus, fileName: 'voice 1.oga' });
		expect(Number(request.headers['content-length'])).toBe(request.body.length);
		const part = request.parts[0]!;
		expect(part.fileName).toBe('voice 1.wav');
		expect(part.headers['content-type']).toBe('audio/wav');
		const { properties } = await probeBytes(part.body);
		expect(properties).toMatchObject({ channels: 1, samplingRate: 16_000 });
	});

	it('has a name even if the file has none', async () => {
		const { request } = await send({ ...opus, fileName: '' });
		expect(request.parts[0]?.fileName).toBe('recording.wav');
	});

	it('is sent with 48 kHz as a voice sample, which is checked after its conversion', async () => {
		const { request, items } = await node.runOnce(cloneParameters, { files: { data: opus } });
		const { properties } = await probeBytes(request.parts[0]!.body);
		expect(properties.samplingRate).toBe(48_000);
		expect(properties.seconds).toBeCloseTo(1, 1);
		expect(items[0]?.json.sampleWarnings).toEqual(['It lasts 1 second; about 10 are recommended.']);
	});

	it('is sent unchanged again', async () => {
		const refuse = respondWithJson({}, 429, { 'retry-after': '0' });
		node.service.respond = respondInTurn(refuse, respondWithJson({ text: 'a' }));
		const { error } = await node.run(speechToTextParameters, { files: { data: opus } });
		expect(error).toBeUndefined();
		const [first, again] = node.service.requests.map(({ parts }) => parts[0]?.sha256);
		expect(first).toBeDefined();
		expect(again).toBe(first);
	});
});

// test/errors/notConvertibleError.test.mts and test/call/openBody.test.mts have other reasons.
it('rejects a recording that cannot be converted by its codec', async () => {
	expect(await sendRejected(getFile('vorbis.ogg'))).toEqual({
		message: "The file 'vorbis.ogg' cannot be converted: its audio is Vorbis",
		description: `The node converts Opus, AAC and Apple Lossless. Use a recording in another format, or convert it to ${acceptedFormatsText} with another program. If the service accepts it anyway, set the option 'Other Formats' to 'Send As It Is'. ${unsent}`,
	});
});

describe('Get Details', () => {
	/** The item that describes a file. */
	async function inspect(data: TestFile): Promise<INodeExecutionData> {
		const { items } = await node.run(getDetailsParameters, { files: { data } });
		expect(items).toHaveLength(1);
		expect(node.service.requests).toEqual([]);
		return items[0]!;
	}

	it.each([
		['stereo.mp3', 'MP3', 'MP3', 3, 44_100, 2, 'MP3'],
		['mu-law.wav', 'WAV', 'G.711', 0.4, 8000, 1, 'WAV'],
		['streamed.flac', 'FLAC', 'FLAC', 0.6, 16_000, 1, 'FLAC'],
		['index-at-end.m4a', 'M4A', 'AAC', 7, 16_000, 1, 'M4A'],
		['opus.webm', 'WebM', 'Opus', 1, 48_000, 1, 'WAV'],
	])(
		'measures %s, and says what the other operations would send',
		async (fileName, ...measured) => {
			const [format, codec, durationSeconds, samplingRate, channels, sentAs] = measured;
			const file = getFile(fileName);
			const { json, pairedItem } = await inspect(file);
			const bytes = file.bytes.length;
			// Converted: the header, and one second of 16-bit samples at 16 kHz.
			const sentBytes = format === sentAs ? bytes : 44 + 32_000;
			const expected = { format, codec, durationSeconds, samplingRate, channels, sentAs };
			expect(json).toMatchObject({ ...expected, bytes, sentBytes });
			expect(pairedItem).toEqual({ item: 0 });
		},
	);

	it.each([
		['vorbis.ogg', 'OGG', 'Vorbis', 'cannot be converted: its audio is Vorbis'],
		['paper.pdf', 'PDF', null, 'is not audio: its content is PDF'],
	])('has a field with the reason why %s cannot be sent', async (fileName, ...described) => {
		const [format, codec, why] = described;
		const { json } = await inspect(getFile(fileName));
		const reason = `The file '${fileName}' ${why}`;
		expect(json).toMatchObject({ format, codec, sentAs: null, sentBytes: null, reason });
		expect(json.advice).toEqual(expect.any(String));
	});

	it('says what would be sent of a file that the node cannot read, and does not convert', async () => {
		const bytes = readAudioFile('mono.flac').subarray(0, 30);
		const { json } = await inspect({ bytes, mimeType: 'audio/flac' });
		const unknown = { codec: null, durationSeconds: null };
		expect(json).toMatchObject({ format: 'FLAC', ...unknown, sentAs: 'FLAC', sentBytes: 30 });
		expect(json).not.toHaveProperty('reason');
	});

	it('reads a recording from a URL, which is not sent to the service', async () => {
		node.service.respond = respondWithBytes(recording, 'audio/wav');
		const fromUrl = { audioSource: 'url', audioUrl: `${node.service.baseUrl}/call.wav` };
		const { items } = await node.run({ ...getDetailsParameters, ...fromUrl }, { files: {} });
		expect(items[0]!.json).toMatchObject({ format: 'WAV', bytes: recording.length });
	});

	it('passes on fields and files of the input if options say so', async () => {
		const options = { includeInputFields: true, keepInputFiles: true };
		const { items } = await node.run({ ...getDetailsParameters, options }, { json: { id: 7 } });
		expect(items[0]).toMatchObject({ json: { id: 7, format: 'WAV' }, binary: { data: {} } });
	});
});

describe('Split', () => {
	/** Six seconds, the shortest part. */
	const partMinutes = 0.1;
	const inParts = { ...splitParameters, partMinutes };

	it('makes an item of each part, with its file', async () => {
		const bytes = createWav(15);
		const files = { data: createFile(bytes, 'voice.wav') };
		const options = { exactCuts: true, includeInputFields: true };
		const { items } = await node.run({ ...inParts, options }, { json: { id: 7 }, files });
		const common = { id: 7, mimeType: 'audio/wav', parts: 3 };
		expect(items.map(({ json }) => json)).toMatchObject([
			{ ...common, fileName: 'voice-01.wav', part: 1, startSeconds: 0, durationSeconds: 6 },
			{ ...common, fileName: 'voice-02.wav', part: 2, startSeconds: 6, durationSeconds: 6 },
			{ ...common, fileName: 'voice-03.wav', part: 3, startSeconds: 12, durationSeconds: 3 },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
		const parts = await Promise.all(
			items.map(async ({ binary }) => await node.engine.readFile(binary?.data)),
		);
		// All headers have 44 bytes.
		const samples = Buffer.concat(parts.map((part) => part.subarray(44)));
		expect(samples.equals(bytes.subarray(44))).toBe(true);
		expect(node.service.requests).toEqual([]);
	});

	it('passes on a recording that is not longer than a part, unchanged', async () => {
		const { items } = await node.run(splitParameters);
		expect(items).toHaveLength(1);
		expect(items[0]!.json).toMatchObject({ fileName: 'call.wav', part: 1, parts: 1 });
		const file = await node.engine.readFile(items[0]!.binary?.data);
		expect(file.equals(recording)).toBe(true);
	});

	it.each([
		['fragments.mp4', 'm4a', 7.064],
		['cbr-11s.mp3', 'mp3', 11.088],
	])('splits %s into files that each have their own length', async (name, extension, seconds) => {
		const { items } = await node.run(inParts, { files: { data: getFile(name) } });
		expect(items).toHaveLength(2);
		const lengths = items.map(({ json }) => Number(json.durationSeconds));
		expect(lengths[0]! + lengths[1]!).toBeCloseTo(seconds, 2);
		const { items: details } = await node.run(getDetailsParameters, { items });
		for (const [index, { json }] of details.entries()) {
			expect(json.fileName).toMatch(new RegExp(`-0\\d\\.${extension}$`));
			expect(json.durationSeconds).toBeCloseTo(lengths[index]!, 2);
		}
	});

	it('outputs the audio of a data address that is not longer than a part', async () => {
		const address = Buffer.from(`data:audio/wav;base64,${toBase64(recording)}`);
		const files = { data: createFile(address, 'call', 'text/plain') };
		const { items } = await node.run(splitParameters, { files });
		const bytes = recording.length;
		expect(items[0]!.json).toMatchObject({ fileName: 'call.wav', mimeType: 'audio/wav', bytes });
		const file = await node.engine.readFile(items[0]!.binary?.data);
		expect(file.equals(recording)).toBe(true);
	});

	it('makes 200 parts of a recording whose last one is a second longer', async () => {
		const files = { data: createFile(createWav(1201, 1000), 'long.wav') };
		const { items } = await node.run({ ...inParts, options: { exactCuts: true } }, { files });
		expect(items).toHaveLength(200);
		expect(items[199]!.json).toMatchObject({ startSeconds: 1194, durationSeconds: 7 });
	});

	it.each<[what: string, file: TestFile, minutes: number, message: RegExp]>([
		[
			'more than 200 parts',
			createFile(createWav(1300, 1000), 'long.wav'),
			partMinutes,
			/217 parts, more than 200$/,
		],
		['a part that is too short', callWav, 0.01, /^'Part Length \(Minutes\)'/],
		[
			'an unknown format',
			getFile('raw.pcm'),
			partMinutes,
			/'raw\.pcm' is of an unknown format, not WAV, MP3, M4A or FLAC$/,
		],
		[
			'another codec',
			getFile('vorbis.ogg'),
			partMinutes,
			/'vorbis\.ogg' cannot be converted: its audio is Vorbis$/,
		],
	])('rejects %s', async (_, data, minutes, message) => {
		const parameters = { ...splitParameters, partMinutes: minutes };
		const { error } = await node.run(parameters, { files: { data } });
		expect(error?.message).toMatch(message);
		// The operation never sends anything, and has no option to.
		expect(error?.description).not.toMatch(/sent|debited|Other Formats/);
	});
});
