import { sampleFindings } from '../../nodes/VoiceSpeech/audio/sample';
import { audioFile, measured } from '../support/audioFiles';
import { clone, speechToText, useNode } from '../support/node';
import { json } from '../support/scriptedServer';
import { wav } from '../support/recordings';

const short = (seconds: string) => `It lasts ${seconds} seconds; about 10 are recommended.`;
const low = (rate: number) =>
	`Its sampling rate is ${rate} Hz; the service asks for 16000 Hz or higher.`;
const channels = (count: number) =>
	`It has ${count} channels: make sure that only one person speaks in it.`;

it.each<[string, Buffer, string[]]>([
	['as recommended', wav(10), []],
	['just long enough', wav(5), []],
	['just too short', wav(4.9), [short('4.9')]],
	['just short enough', wav(30, 16_000), []],
	['just too long', wav(30.1, 16_000), [short('30.1')]],
	['just too low', wav(10, 15_999), [low(15_999)]],
	['of two channels', wav(10, 16_000, 2), [channels(2)]],
	['MP3', audioFile('mpeg-2.5-8000.mp3'), [short('3.2'), low(8000)]],
	['M4A without an index', audioFile('truncated.m4a'), []],
	['of unknown format', audioFile('free-format.mp3'), []],
])('what the check finds in a voice sample %s', async (_what, bytes, expected) => {
	const { measures } = await measured(bytes);
	expect(sampleFindings(measures).map(({ text }) => text)).toEqual(expected);
});

describe('a voice sample', () => {
	const node = useNode();
	const good = { bytes: wav(10), mimeType: 'audio/wav' };
	const stereo = { bytes: wav(10, 16_000, 2), mimeType: 'audio/wav' };
	const telephone = { bytes: wav(1, 8000, 2), mimeType: 'audio/wav' };
	const found = [short('1'), low(8000), channels(2)];

	it.each([
		["is sent, with the findings in 'sampleWarnings'", telephone, 'warn', found],
		['is sent without warnings if the check is off', telephone, 'off', undefined],
		['is not refused for a hint', stereo, 'reject', [channels(2)]],
		['is sent without warnings if nothing was found', good, 'reject', undefined],
	])('%s', async (_what, data, sampleCheck, sampleWarnings) => {
		node.service.answer = json({ voice_id: 'vc_1' });
		const parameters = { ...clone, options: { sampleCheck } };
		const { items } = await node.runOnce(parameters, { files: { data } });
		const warnings = sampleWarnings === undefined ? {} : { sampleWarnings };
		expect(items[0]?.json).toEqual({ voice_id: 'vc_1', ...warnings });
	});

	it('is refused for other findings', async () => {
		const strict = { ...clone, options: { sampleCheck: 'reject' } };
		expect(await node.runUnsent(strict, { files: { data: telephone } })).toEqual({
			message: `The sample differs from what the service asks for: ${found.join(' ')}`,
			description:
				"Record about 10 seconds of a single speaker in a quiet place, at 16 kHz or higher. To send it anyway, set the option 'Sample Check' to 'Warn' or 'Off'. This item was not sent, so it was not debited.",
		});
	});

	it('is what is checked, and no other audio', async () => {
		const { items } = await node.runOnce(speechToText, { files: { data: telephone } });
		expect(items[0]?.json).toEqual({ ok: true });
	});
});
