import { formats } from '../../nodes/VoiceSpeech/audio/format';
import { audioFile, audioFiles } from '../support/audioFiles';
import { speechToText, undocumented, useNode, type TestFile } from '../support/node';
import { sha256 } from '../support/scriptedServer';
import { id3Tag } from '../support/tags';

const node = useNode();

/** Type and usual extension on the wire, by format (test/audio/format.test.ts has them in a snapshot). */
function onTheWire(format: string): [type: string, extension: string] {
	const { mimeType = 'text/plain', extensions = ['txt'] } =
		formats.find(({ name }) => name === format) ?? {};
	return [mimeType, extensions[0] ?? ''];
}

const isEmpty = (file: string) => audioFile(file).length === 0;

function given(file: string, name: string | undefined): TestFile {
	return {
		bytes: audioFile(file),
		...(name === undefined ? {} : { fileName: name }),
		mimeType: 'application/octet-stream',
	};
}

const accepted = audioFiles.filter(({ format }) => /^(WAV|MP3|M4A|FLAC)$/.test(format));
const unknown = audioFiles.filter(({ file, format }) => format === '' && !isEmpty(file));
const refused = audioFiles.filter((row) => !accepted.includes(row) && row.format !== '');

describe('name and type of the part are those of the format', () => {
	it.each(accepted)('$file ($note)', async ({ file, format }) => {
		for (const name of ['voice.ogg', undefined]) {
			node.service.reset();
			const { request } = await node.runOnce(speechToText, { files: { data: given(file, name) } });
			const [type, extension] = onTheWire(format);
			const base = name === undefined ? 'recording' : 'voice';
			expect(request.parts).toHaveLength(1);
			expect(request.parts[0]).toMatchObject({
				name: 'file',
				fileName: `${base}.${extension}`,
				headers: { 'content-type': type },
				sha256: sha256(audioFile(file)),
			});
		}
	});

	it.each(audioFiles.filter(({ format }) => format !== ''))(
		'$file, undocumented operation: its extension stays if it fits',
		async ({ file, name = file, format }) => {
			const files = { data: given(file, name) };
			const { request } = await node.runOnce({ ...undocumented }, { files });
			const [type, usual] = onTheWire(format);
			const base = name.slice(0, name.lastIndexOf('.'));
			const own = name.slice(base.length + 1);
			const fits = /^(mp4|m4b|3gp|aifc|mka|tgz|avif|txt|csv|srt|base64)$/.test(own);
			expect(request.parts[0]).toMatchObject({
				fileName: `${base}.${fits ? own : usual}`,
				headers: { 'content-type': type },
			});
		},
	);
});

describe('what is unknown may be audio', () => {
	it.each(unknown)('$file ($note) keeps its name and type', async ({ file }) => {
		const mimeType = 'audio/x-unknown;rate=8000';
		for (const name of ['voice.mp3', 'voice.raw', 'voice']) {
			node.service.reset();
			const files = { data: { ...given(file, name), mimeType } };
			const { request } = await node.runOnce(speechToText, { files });
			expect(request.parts[0]).toMatchObject({
				fileName: name,
				headers: { 'content-type': mimeType },
				sha256: sha256(audioFile(file)),
			});
		}
	});

	it('FLAC behind more than 1 MiB of tags', async () => {
		const bytes = Buffer.concat([id3Tag(2e6), audioFile('mono.flac')]);
		const files = { data: { bytes, fileName: 'call.flac', mimeType: 'audio/x-flac' } };
		const { request } = await node.runOnce(speechToText, { files });
		expect(request.parts[0]).toMatchObject({
			fileName: 'call.flac',
			headers: { 'content-type': 'audio/x-flac' },
			sha256: sha256(bytes),
		});
	});
});

describe('what the service does not accept is refused before the call', () => {
	it.each(refused)('$file: $format', async ({ file, format, name }) => {
		const error = await node.runUnsent(speechToText, {
			files: { data: given(file, name ?? file) },
		});
		expect(error.message).toBe(
			`The file '${name ?? file}' is ${format}, not WAV, MP3, M4A or FLAC`,
		);
		expect(error.description).toContain(
			!/^(audio|video)/.test(onTheWire(format)[0])
				? 'This is not an audio file: check which file the previous step outputs.'
				: 'Convert it first. On n8n Cloud, use',
		);
		expect(error.description).toContain("set the option 'Format Check' to 'Off'");
	});

	it('an empty file, with any check', async () => {
		const files = { data: given('empty.wav', 'empty.wav') };
		for (const formatCheck of ['off', 'reject']) {
			const parameters = { ...speechToText, options: { formatCheck } };
			expect((await node.runUnsent(parameters, { files })).message).toBe(
				"The file 'empty.wav' is empty",
			);
		}
	});
});
