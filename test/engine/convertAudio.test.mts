import type { INodeParameters } from 'n8n-workflow';

import { acceptedFormatsText } from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { createAdtsFrame, createLongAdts } from '../support/media/adts.mts';
import { fileConvertedToWav, readAudioFile } from '../support/media/audioFiles.mts';
import { useNode, type TestFile } from '../support/node.mts';
import {
	cloneParameters,
	speechToTextParameters,
	undocumentedParameters,
} from '../support/nodeParameters.mts';
import { unsent } from '../support/outcome.mts';
import {
	respondInTurn,
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	computeSha256,
} from '../support/servers/scriptedServer.mts';

// What the conversion itself does is tested in test/audio/convert and test/full.

const node = useNode();

function readTestFile(name: string, mimeType = 'application/octet-stream'): TestFile {
	return { bytes: readAudioFile(name), fileName: name, mimeType };
}

/** Runs with one file, and returns the part that arrived as `file`. */
async function send(parameters: INodeParameters, data: TestFile) {
	const { request } = await node.runOnce(parameters, { files: { data } });
	const part = request.parts.find((one) => one.name === 'file');
	if (part === undefined) throw new Error('no file arrived');
	expect(Number(request.headers['content-length'])).toBe(request.body.length);
	return part;
}

async function sendFile(parameters: INodeParameters, name: string, fileName = name) {
	return await send(parameters, { ...readTestFile(name), fileName });
}

/** What the header of a WAV file says (Microsoft's RIFF specification). */
function probeWav(wav: Buffer) {
	expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
	expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
	expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
	return {
		channels: wav.readUInt16LE(22),
		samplingRate: wav.readUInt32LE(24),
		bits: wav.readUInt16LE(34),
		seconds: wav.readUInt32LE(40) / wav.readUInt32LE(28),
	};
}

describe('a recording that is converted', () => {
	it('is sent as WAV with 16 kHz and one channel, and 48 kHz as a voice sample', async () => {
		const part = await sendFile(speechToTextParameters, fileConvertedToWav.file, 'voice 1.oga');
		expect(part.fileName).toBe('voice 1.wav');
		expect(part.headers['content-type']).toBe('audio/wav');
		expect(probeWav(part.body)).toMatchObject({ channels: 1, samplingRate: 16_000, bits: 16 });
		node.service.reset();
		const sample = await sendFile(cloneParameters, fileConvertedToWav.file);
		expect(probeWav(sample.body).samplingRate).toBe(48_000);
	});

	it('is sent as M4A without a picture', async () => {
		const part = await sendFile(speechToTextParameters, 'with-video.mp4', 'video.m4v');
		expect(part.fileName).toBe('video.m4a');
		expect(part.headers['content-type']).toBe('audio/mp4');
		expect(part.body.toString('latin1', 4, 12)).toBe('ftypM4A ');
		expect(part.body.includes('vide')).toBe(false);
	});

	it('is checked as a voice sample after its conversion', async () => {
		const { request, items } = await node.runOnce(cloneParameters, {
			files: { data: readTestFile(fileConvertedToWav.file) },
		});
		expect(probeWav(request.parts[0]!.body).seconds).toBeCloseTo(1, 1);
		expect(items[0]?.json.sampleWarnings).toEqual(['It lasts 1 second; about 10 are recommended.']);
	});

	it('is sent unchanged again', async () => {
		const refuse = respondWithJson({}, 429, { 'retry-after': '0' });
		node.service.respond = respondInTurn(refuse, respondWithJson({ text: 'a' }));
		const { error } = await node.run(speechToTextParameters, {
			files: { data: readTestFile(fileConvertedToWav.file) },
		});
		expect(error).toBeUndefined();
		const [first, again] = node.service.requests.map(({ parts }) => parts[0]?.sha256);
		expect(first).toBeDefined();
		expect(again).toBe(first);
	});
});

describe('a recording that cannot be converted', () => {
	const useAnother = `Use a recording in another format, or convert it to ${acceptedFormatsText} with another program.`;
	const sendAnyway =
		"If the service accepts it anyway, set the option 'Other Formats' to 'Send As It Is'.";
	const undocumented = { ...undocumentedParameters, inputType: 'audio' };

	it.each([
		{
			name: 'vorbis.ogg',
			message: "The file 'vorbis.ogg' cannot be converted: its audio is Vorbis",
			advice: `The node converts Opus, AAC and Apple Lossless. ${useAnother}`,
		},
		{
			name: 'telephone.amr',
			message: `The file 'telephone.amr' is AMR, not ${acceptedFormatsText}`,
			advice: useAnother,
		},
	])('is rejected by its codec or its format: $name', async ({ name, message, advice }) => {
		for (const parameters of [speechToTextParameters, undocumented]) {
			expect(await node.runUnsent(parameters, { files: { data: readTestFile(name) } })).toEqual({
				message,
				description: `${advice} ${sendAnyway} ${unsent}`,
			});
		}
	});

	it("is sent with 'Send As It Is' in an operation that documents no format", async () => {
		const part = await sendFile(
			{ ...undocumented, options: { otherFormats: 'send' } },
			'vorbis.mka',
		);
		expect(part.sha256).toBe(computeSha256(readAudioFile('vorbis.mka')));
	});
});

describe('a recording from a URL', () => {
	const source = ScriptedServer.use(respondWithJson({}));

	async function sendFromUrl(...responses: Buffer[]) {
		let count = 0;
		source.respond = (...call) => {
			const body = responses[Math.min(count, responses.length - 1)] as Buffer;
			count++;
			respondWithBytes(body, 'audio/ogg')(...call);
		};
		const audioUrl = `${source.baseUrl}/voice.oga`;
		const output = await node.run(
			{ ...speechToTextParameters, audioSource: 'url', audioUrl },
			{ files: {} },
		);
		return { output, part: node.service.requests[0]?.parts[0], fetched: count };
	}

	it('is fetched once to convert it', async () => {
		const { output, part, fetched } = await sendFromUrl(readAudioFile(fileConvertedToWav.file));
		expect(output.error).toBeUndefined();
		expect(part?.fileName).toBe('voice.wav');
		expect(fetched).toBe(1);
	});

	const long = createLongAdts();

	it('is fetched twice to convert it if it is long', async () => {
		const { output, part, fetched } = await sendFromUrl(long);
		expect(output.error).toBeUndefined();
		expect(part?.fileName).toBe('voice.m4a');
		expect(part?.body.length).toBeGreaterThan(10_000_000);
		expect(fetched).toBe(2);
	});

	it.each([
		{ what: 'longer', second: Buffer.concat([long, createAdtsFrame(Buffer.alloc(100))]) },
		{ what: 'of another kind', second: Buffer.alloc(long.length) },
		{ what: 'another recording of the same length', second: createLongAdts('other') },
	])('is not uploaded completely if the second response is $what', async ({ second }) => {
		const { output, part, fetched } = await sendFromUrl(long, second);
		expect(fetched).toBe(2);
		expect(part).toBeUndefined();
		expect(output.error?.message).toBe('Reading the audio failed during the upload');
		expect(output.error?.description).toContain("The file 'voice.oga' changed while it was read");
	});
});
