import { sniffFormat } from '../../nodes/VoiceSpeech/audio/format.ts';
import { probeAudio } from '../../nodes/VoiceSpeech/audio/probeAudio.ts';
import {
	readAudioFile,
	audioFiles,
	createAudioReader,
	probeBytes,
} from '../support/media/audioFiles.mts';
import { createMp3, createWav } from '../support/media/recordings.mts';

const probedFiles = audioFiles.filter(({ format }) => /^(WAV|MP3|M4A|FLAC)$/.test(format));

describe.each([7, 65_536])('in chunks of %i bytes', (chunkSize) => {
	it.each(probedFiles)(
		'finds the properties of the real file $file ($note)',
		async ({ file, samplingRate, channels, seconds }) => {
			const { reader } = await createAudioReader(readAudioFile(file), chunkSize);
			const found = await probeAudio(reader, await sniffFormat(reader));
			expect(found).toEqual({ samplingRate, channels, seconds: found.seconds });
			expect(found.seconds === undefined).toBe(seconds === undefined);
			const difference = Math.abs((found.seconds ?? 0) - (seconds ?? 0));
			expect(difference).toBeLessThanOrEqual(0.02 * (seconds ?? 0));
		},
	);
});

it('finds no properties in FLAC without a sampling rate', async () => {
	const bytes = readAudioFile('mono.flac');
	bytes.writeUIntBE(bytes.readUIntBE(18, 3) & 15, 18, 3);
	expect((await probeBytes(bytes)).properties).toEqual({});
});

const at8kHz = { samplingRate: 8000, channels: 1 };
const at16kHz = { samplingRate: 16_000, channels: 1 };
const at22kHz = { samplingRate: 22_050, channels: 1 };
const at32kHz = { samplingRate: 32_000, channels: 1 };

it.each<[what: string, bytes: Buffer, expected: object]>([
	['WAV, whose header may have a wrong length', createWav(2), at16kHz],
	['compressed WAV, whose number of samples may be wrong', readAudioFile('ima-adpcm.wav'), at8kHz],
	['MP3 with a header, after which others may follow', readAudioFile('lame-vbr.mp3'), at22kHz],
	['MP3 at a constant rate', createMp3(90), at32kHz],
	['M4A', readAudioFile('index-at-end.m4a'), { ...at16kHz, seconds: 7.064 }],
])('finds the properties of a recording of unknown size: %s', async (_, bytes, expected) => {
	expect((await probeBytes(bytes, false)).properties).toEqual(expected);
});
