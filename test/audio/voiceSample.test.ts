import { compareVoiceSample } from '../../nodes/VoiceSpeech/audio/voiceSample';
import { readAudioFile, probeBytes } from '../support/media/audioFiles';
import { createWav } from '../support/media/recordings';

// test/engine/outputItems.test.ts tests what the node does with the findings.

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
