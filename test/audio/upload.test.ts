import { audioFile, audioFiles } from '../support/audioFiles';
import { speechToText, undocumented, useNode, type TestFile } from '../support/node';
import { sha256 } from '../support/recorder';

const node = useNode();

/** Type and usual extension on the wire, by format. */
const onTheWire: Record<string, [type: string, extension: string]> = {
	WAV: ['audio/wav', 'wav'],
	MP3: ['audio/mpeg', 'mp3'],
	MP2: ['audio/mpeg', 'mp2'],
	M4A: ['audio/mp4', 'm4a'],
	FLAC: ['audio/flac', 'flac'],
	OGG: ['audio/ogg', 'ogg'],
	'OGG Opus': ['audio/ogg', 'opus'],
	WebM: ['audio/webm', 'webm'],
	AAC: ['audio/aac', 'aac'],
	AIFF: ['audio/aiff', 'aiff'],
	AU: ['audio/basic', 'au'],
	CAF: ['audio/x-caf', 'caf'],
	WMA: ['audio/x-ms-wma', 'wma'],
	'3GP': ['audio/3gpp', '3gp'],
	QuickTime: ['video/quicktime', 'mov'],
	AVI: ['video/x-msvideo', 'avi'],
	AMR: ['audio/amr', 'amr'],
	PDF: ['application/pdf', 'pdf'],
	HTML: ['text/html', 'html'],
	JSON: ['application/json', 'json'],
	XML: ['application/xml', 'xml'],
	ZIP: ['application/zip', 'zip'],
	PNG: ['image/png', 'png'],
	JPEG: ['image/jpeg', 'jpg'],
};

const isEmpty = (file: string) => audioFile(file).length === 0;

function given(file: string, name: string | undefined): TestFile {
	return {
		bytes: audioFile(file),
		...(name === undefined ? {} : { fileName: name }),
		mimeType: 'application/octet-stream',
	};
}

const accepted = audioFiles.filter(({ format }) => /^(WAV|MP3|M4A|FLAC)$/.test(format));
const refused = audioFiles.filter((row) => !accepted.includes(row) && !isEmpty(row.file));

describe('whatever n8n calls it, it goes out as what it is', () => {
	it.each(accepted)('$file ($note)', async ({ file, format }) => {
		for (const name of ['voice.ogg', undefined]) {
			node.service.reset();
			const { request } = await node.runOnce(speechToText, { files: { data: given(file, name) } });
			const [type = '', extension = ''] = onTheWire[format] ?? [];
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
		'$file where nothing is documented, its extension stays if it fits',
		async ({ file, name = file, format }) => {
			const files = { data: given(file, name) };
			const { request } = await node.runOnce({ ...undocumented }, { files });
			const [type = '', usual = ''] = onTheWire[format] ?? [];
			const base = name.slice(0, name.lastIndexOf('.'));
			const own = name.slice(base.length + 1);
			const fits = /^(mp4|m4b|aifc|mka)$/.test(own);
			expect(request.parts[0]).toMatchObject({
				fileName: `${base}.${fits ? own : usual}`,
				headers: { 'content-type': type },
			});
		},
	);
});

describe('what the service does not take is refused before the call', () => {
	it.each(refused)('$file: $format', async ({ file, format, name }) => {
		const error = await node.runUnsent(speechToText, {
			files: { data: given(file, name ?? file) },
		});
		const found = format === '' ? 'in a format that could not be recognised' : format;
		expect(error.message).toBe(
			`The file '${name ?? file}' is ${found}, and the service takes WAV, MP3, M4A and FLAC`,
		);
		const isOther = /^(PDF|HTML|JSON|XML|ZIP|PNG|JPEG)$/.test(format);
		expect(error.description).toContain(
			isOther
				? 'It is no recording: check which file the previous step outputs.'
				: 'Convert it first, e.g. with ffmpeg: ffmpeg -i input -ar 16000 -ac 1 output.flac.',
		);
		expect(error.description).toContain("set the option 'Format Check' to 'Off'");
	});

	it('an empty file, whatever is checked', async () => {
		const files = { data: given('empty.wav', 'empty.wav') };
		for (const formatCheck of ['off', 'reject']) {
			const parameters = { ...speechToText, options: { formatCheck } };
			expect((await node.runUnsent(parameters, { files })).message).toBe(
				"The file 'empty.wav' is empty",
			);
		}
	});

	it.each(refused)("unless 'Format Check' is off: $file", async ({ file, format, name }) => {
		const files = { data: given(file, name ?? file) };
		const parameters = { ...speechToText, options: { formatCheck: 'off' } };
		const { request } = await node.runOnce(parameters, { files });
		const [type] = onTheWire[format] ?? ['application/octet-stream'];
		expect(request.parts[0]).toMatchObject({
			headers: { 'content-type': type },
			sha256: sha256(audioFile(file)),
		});
	});
});
