import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import { createWav } from '../support/media/recordings.mts';
import { callWav, recording, useNode } from '../support/node.mts';
import { getDetailsParameters, splitParameters } from '../support/nodeParameters.mts';
import { respondWithBytes } from '../support/servers/scriptedServer.mts';

const node = useNode();

const readSample = (fileName: string) =>
	readFileSync(path.join(root, 'test/audio/files', fileName));

const getFile = (fileName: string) => ({
	bytes: readSample(fileName),
	fileName,
	mimeType: 'audio/x-unknown',
});

describe('Get Details', () => {
	it.each([
		['stereo.mp3', 'MP3', 'MP3', 3, 44_100, 2, 'MP3'],
		['lame-vbr.mp3', 'MP3', 'MP3', 3, 22_050, 1, 'MP3'],
		['streamed.flac', 'FLAC', 'FLAC', 0.6, 16_000, 1, 'FLAC'],
		['mu-law.wav', 'WAV', 'G.711', 0.4, 8000, 1, 'WAV'],
		['index-at-end.m4a', 'M4A', 'AAC', 7, 16_000, 1, 'M4A'],
		['with-video.mp4', 'M4A', 'AAC', 5, 16_000, 1, 'M4A'],
		['opus.webm', 'WebM', 'Opus', 1, 48_000, 1, 'WAV'],
		['truncated.wav', 'WAV', 'PCM', 0.199, 8000, 1, 'WAV'],
	])(
		'measures %s',
		async (fileName, format, codec, durationSeconds, samplingRate, channels, sentAs) => {
			const file = getFile(fileName);
			const { items } = await node.run(getDetailsParameters, { files: { data: file } });
			const expected = { format, codec, durationSeconds, samplingRate, channels, sentAs };
			expect(items[0]!.json).toMatchObject({ ...expected, bytes: file.bytes.length });
			expect(items[0]!.pairedItem).toEqual({ item: 0 });
			expect(node.service.requests).toEqual([]);
		},
	);

	it('says what the other operations would send', async () => {
		const files = { data: getFile('opus.webm') };
		const { items } = await node.run(getDetailsParameters, { files });
		// The header, and one second of 16-bit samples at 16 kHz.
		expect(items[0]!.json).toMatchObject({ sentAs: 'WAV', sentBytes: 44 + 32_000 });
	});

	it.each([
		['vorbis.ogg', /'vorbis\.ogg' cannot be converted: its audio is Vorbis$/],
		['header-only.wav', /'header-only\.wav' has no audio$/],
		['paper.pdf', /'paper\.pdf' is not audio: its content is PDF$/],
	])('gives the reason why %s cannot be sent as a field', async (fileName, reason) => {
		const files = { data: getFile(fileName) };
		const { items } = await node.run(getDetailsParameters, { files });
		expect(items[0]!.json).toMatchObject({
			sentAs: null,
			sentBytes: null,
			reason: expect.stringMatching(reason) as string,
			advice: expect.any(String) as string,
		});
	});

	it('reads a recording from a URL, which is not sent to the service', async () => {
		node.service.respond = respondWithBytes(recording, 'audio/wav');
		const parameters = {
			...getDetailsParameters,
			audioSource: 'url',
			audioUrl: `${node.service.baseUrl}/call.wav`,
		};
		const { items } = await node.run(parameters, { items: [{ json: {} }] });
		expect(items[0]!.json).toMatchObject({ format: 'WAV', bytes: recording.length });
	});

	it('passes on fields and files of the input if options say so', async () => {
		const options = { includeInputFields: true, keepInputFiles: true };
		const { items } = await node.run(
			{ ...getDetailsParameters, options },
			{ json: { id: 7 }, files: { data: callWav } },
		);
		expect(items[0]).toMatchObject({ json: { id: 7, format: 'WAV' }, binary: { data: {} } });
	});
});

describe('Split', () => {
	/** Six seconds, the shortest part. */
	const partMinutes = 0.1;
	const inParts = { ...splitParameters, partMinutes };
	const getSeconds = (json: object) => (json as { durationSeconds: number }).durationSeconds;

	it('makes an item of each part, with its file', async () => {
		const bytes = createWav(15);
		const files = { data: { bytes, fileName: 'voice.wav', mimeType: 'audio/wav' } };
		const options = { exactCuts: true, includeInputFields: true };
		const { items } = await node.run({ ...inParts, options }, { json: { id: 7 }, files });
		const common = { id: 7, mimeType: 'audio/wav', parts: 3 };
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({ ...common, fileName: 'voice-01.wav', part: 1, startSeconds: 0 }),
			expect.objectContaining({ ...common, fileName: 'voice-02.wav', part: 2, startSeconds: 6 }),
			expect.objectContaining({ ...common, fileName: 'voice-03.wav', part: 3, startSeconds: 12 }),
		]);
		expect(items.map(({ json }) => getSeconds(json))).toEqual([6, 6, 3]);
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
	])(
		'splits %s into files that each have their own length',
		async (fileName, extension, seconds) => {
			const files = { data: getFile(fileName) };
			const { items } = await node.run(inParts, { files });
			expect(items).toHaveLength(2);
			const sum = items.reduce((total, { json }) => total + getSeconds(json), 0);
			expect(sum).toBeCloseTo(seconds, 2);
			for (const { json, binary } of items) {
				expect(json.fileName).toMatch(new RegExp(`-0\\d\\.${extension}$`));
				const { items: details } = await node.run(getDetailsParameters, {
					items: [{ json: {}, binary: binary! }],
				});
				expect(getSeconds(details[0]!.json)).toBeCloseTo(getSeconds(json), 2);
			}
		},
	);

	it('makes 200 parts of a recording whose last one is a second longer', async () => {
		const parameters = { ...splitParameters, partMinutes: 0.1, options: { exactCuts: true } };
		const files = { data: { bytes: createWav(1201), fileName: 'long.wav', mimeType: 'audio/wav' } };
		const { items } = await node.run(parameters, { files });
		expect(items).toHaveLength(200);
		expect(items[199]!.json).toMatchObject({ startSeconds: 1194, durationSeconds: 7 });
	});

	it.each([
		['more than 200 parts', createWav(1300), partMinutes, /would have 217 parts, more than 200$/],
		['a part that is too short', createWav(1), 0.01, /^'Part Length \(Minutes\)'/],
	])('rejects %s', async (_what, bytes, minutes, message) => {
		const files = { data: { bytes, fileName: 'long.wav', mimeType: 'audio/wav' } };
		const { error } = await node.run({ ...splitParameters, partMinutes: minutes }, { files });
		expect(error?.message).toMatch(message);
	});

	it('rejects what is not a recording', async () => {
		const { error } = await node.run(splitParameters, { files: { data: getFile('paper.pdf') } });
		expect(error?.message).toMatch(/'paper\.pdf' is not audio: its content is PDF$/);
		// The operation never sends anything.
		expect(error?.description).not.toMatch(/sent|debited/);
	});
});
