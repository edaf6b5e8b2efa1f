import { compareVoiceSample } from '../../nodes/VoiceSpeech/audio/voiceSample';
import { readAudioFile, probeBytes } from '../support/media/audioFiles';
import { useNode } from '../support/node';
import { cloneParameters, speechToTextParameters } from '../support/nodeParameters';
import { respondWithJson } from '../support/servers/scriptedServer';
import { createWav } from '../support/media/recordings';

const describeDuration = (duration: string) => `It lasts ${duration}; about 10 are recommended.`;
const describeRate = (rate: number) =>
	`Its sampling rate is ${rate} Hz; the service asks for 16000 Hz or higher.`;
const describeChannels = (count: number) =>
	`It has ${count} channels: make sure that only one person speaks in it.`;

it.each<{ what: string; bytes: Buffer; expected: string[] }>([
	{ what: 'as recommended', bytes: createWav(10), expected: [] },
	{ what: 'just long enough', bytes: createWav(5), expected: [] },
	{ what: 'just too short', bytes: createWav(4.9), expected: [describeDuration('4.9 seconds')] },
	{ what: 'just short enough', bytes: createWav(30, 16_000), expected: [] },
	{
		what: 'just too long',
		bytes: createWav(30.1, 16_000),
		expected: [describeDuration('30.1 seconds')],
	},
	{ what: 'just too low', bytes: createWav(10, 15_999), expected: [describeRate(15_999)] },
	{ what: 'of two channels', bytes: createWav(10, 16_000, 2), expected: [describeChannels(2)] },
	{
		what: 'MP3',
		bytes: readAudioFile('mpeg-2.5-8000.mp3'),
		expected: [describeDuration('3.2 seconds'), describeRate(8000)],
	},
	{ what: 'M4A without an index', bytes: readAudioFile('truncated.m4a'), expected: [] },
	{ what: 'of unknown format', bytes: readAudioFile('free-format.mp3'), expected: [] },
])(
	'finds what differs from the recommendation in a voice sample: $what',
	async ({ bytes, expected }) => {
		const { properties } = await probeBytes(bytes);
		expect(compareVoiceSample(properties).map(({ text }) => text)).toEqual(expected);
	},
);

describe('a voice sample', () => {
	const node = useNode();
	const good = { bytes: createWav(10), mimeType: 'audio/wav' };
	const stereo = { bytes: createWav(10, 16_000, 2), mimeType: 'audio/wav' };
	const telephone = { bytes: createWav(1, 8000, 2), mimeType: 'audio/wav' };
	const found = [describeDuration('1 second'), describeRate(8000), describeChannels(2)];

	it.each([
		{
			what: "with the findings in 'sampleWarnings'",
			data: telephone,
			sampleCheck: 'warn',
			sampleWarnings: found,
		},
		{
			what: 'without warnings if the check is off',
			data: telephone,
			sampleCheck: 'off',
			sampleWarnings: undefined,
		},
		{
			what: 'although the check is strict and found a hint',
			data: stereo,
			sampleCheck: 'reject',
			sampleWarnings: [describeChannels(2)],
		},
		{
			what: 'without warnings if nothing was found',
			data: good,
			sampleCheck: 'reject',
			sampleWarnings: undefined,
		},
	])('is sent $what', async ({ data, sampleCheck, sampleWarnings }) => {
		node.service.respond = respondWithJson({ voice_id: 'vc_1' });
		const parameters = { ...cloneParameters, options: { sampleCheck } };
		const { items } = await node.runOnce(parameters, { files: { data } });
		const warnings = sampleWarnings === undefined ? {} : { sampleWarnings };
		expect(items[0]?.json).toEqual({ voice_id: 'vc_1', ...warnings });
	});

	it('is refused for findings that are not hints', async () => {
		const strict = { ...cloneParameters, options: { sampleCheck: 'reject' } };
		expect(await node.runUnsent(strict, { files: { data: telephone } })).toEqual({
			message: `The sample differs from what the service asks for: ${found.join(' ')}`,
			description:
				"Record about 10 seconds of a single speaker in a quiet place, at 16 kHz or higher. To send it anyway, set the option 'Sample Check' to 'Warn' or 'Off'. This item was not sent, so it was not debited.",
		});
	});

	it('is checked, but no other audio', async () => {
		const { items } = await node.runOnce(speechToTextParameters, { files: { data: telephone } });
		expect(items[0]?.json).toEqual({ ok: true });
	});
});
