import { audioFile } from '../support/audioFiles';
import { useNode } from '../support/node';
import { json } from '../support/scriptedServer';
import { wav } from '../support/recordings';

const node = useNode();

const clone = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };

const short = (seconds: string) => `It lasts ${seconds} seconds; about 10 are recommended.`;
const low = (rate: number) =>
	`Its sampling rate is ${rate} Hz; the service asks for 16000 Hz or higher.`;
const channels = (count: number) =>
	`It has ${count} channels: make sure that only one person speaks in it.`;

const samples: Array<[string, Buffer, string[]]> = [
	['as recommended', wav(10), []],
	['just long enough', wav(5), []],
	['just too short', wav(4.9), [short('4.9')]],
	['just short enough', wav(30, 16_000), []],
	['just too long', wav(30.1, 16_000), [short('30.1')]],
	['just too low', wav(10, 15_999), [low(15_999)]],
	['of two channels', wav(10, 16_000, 2), [channels(2)]],
	['of telephone, short, in stereo', wav(1, 8000, 2), [short('1'), low(8000), channels(2)]],
	['MP3', audioFile('mpeg-2.5-8000.mp3'), [short('3.2'), low(8000)]],
	['MP3 behind a large cover', audioFile('large-cover.mp3'), [short('3.1')]],
	['FLAC of eight channels', audioFile('8-channels.flac'), [short('0.6'), channels(8)]],
	['FLAC of unknown length', audioFile('streamed.flac'), []],
	['M4A, index at the end, its box says two channels', audioFile('index-at-end.m4a'), []],
	['M4A of two channels', audioFile('stereo.m4a'), [channels(2)]],
	['M4A of telephone', audioFile('8-khz.m4a'), [low(8000)]],
	['M4A without an index', audioFile('truncated.m4a'), []],
	...[
		'moov-and-fragments.mp4',
		'trimmed.m4a',
		'silence-first.mp3',
		'cbr-11s.mp3',
		'ape-at-end.mp3',
		'id3v2-at-end.mp3',
		'lyrics3-at-end.mp3',
		'joined.mp3',
		'free-format.mp3',
	].map((file): [string, Buffer, string[]] => [file, audioFile(file), []]),
];

/** Several channels do not prove several speakers. */
const hint = /channels/;

describe.each(samples)('a voice sample %s', (_what, bytes, found) => {
	const files = { data: { bytes, fileName: 'a.bin', mimeType: 'audio/wav' } };

	beforeEach(() => node.service.reset(json({ voice_id: 'vc_1', name: 'Anna' })));

	it("is sent, with the findings in 'sampleWarnings'", async () => {
		const { items } = await node.runOnce(clone, { files });
		expect(items[0]?.json).toEqual({
			voice_id: 'vc_1',
			name: 'Anna',
			...(found.length > 0 ? { sampleWarnings: found } : {}),
		});
	});

	it('is sent without warnings if the check is off', async () => {
		const { items } = await node.runOnce({ ...clone, options: { sampleCheck: 'off' } }, { files });
		expect(items[0]?.json).toEqual({ voice_id: 'vc_1', name: 'Anna' });
	});

	it('is refused, except for hints', async () => {
		const strict = { ...clone, options: { sampleCheck: 'reject' } };
		if (found.every((text) => hint.test(text))) {
			const { items } = await node.runOnce(strict, { files });
			expect(items[0]?.json.sampleWarnings ?? []).toEqual(found);
			return;
		}
		const { message, description } = await node.runUnsent(strict, { files });
		expect(message).toBe(`The sample differs from what the service asks for: ${found.join(' ')}`);
		expect(description).toBe(
			"Record about 10 seconds of a single speaker in a quiet place, at 16 kHz or higher. To send it anyway, set the option 'Sample Check' to 'Warn' or 'Off'. Nothing was sent, so nothing was debited.",
		);
	});
});

it('only a voice sample is checked', async () => {
	const files = { data: { bytes: wav(1, 8000, 2), mimeType: 'audio/wav' } };
	const parameters = { resource: 'speech', operation: 'speechToText' };
	node.service.answer = json({ text: 'yes' });
	const { items } = await node.runOnce(parameters, { files });
	expect(items[0]?.json).toEqual({ text: 'yes' });
});
