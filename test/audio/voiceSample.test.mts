import { compareVoiceSample } from '../../nodes/VoiceSpeech/audio/voiceSample.ts';
import {
	minVoiceSampleRate,
	recommendedVoiceSampleSeconds,
} from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { maxVoiceSampleSeconds, minVoiceSampleSeconds } from '../../nodes/VoiceSpeech/limits.ts';
import { readAudioFile, probeBytes } from '../support/media/audioFiles.mts';
import { createWav } from '../support/media/recordings.mts';

// test/engine/outputItems.test.mts tests what the node does with the findings.

const describeDuration = (seconds: number) =>
	`It lasts ${seconds} seconds; about ${recommendedVoiceSampleSeconds} are recommended.`;
const describeRate = (rate: number) =>
	`Its sampling rate is ${rate} Hz; the service asks for ${minVoiceSampleRate} Hz or higher.`;
const describeChannels = (count: number) =>
	`It has ${count} channels: make sure that only one person speaks in it.`;

it.each<{ what: string; bytes: Buffer; expected: string[] }>([
	{ what: 'as recommended', bytes: createWav(recommendedVoiceSampleSeconds), expected: [] },
	{ what: 'just long enough', bytes: createWav(minVoiceSampleSeconds), expected: [] },
	{
		what: 'just too short',
		bytes: createWav(minVoiceSampleSeconds - 0.1),
		expected: [describeDuration(minVoiceSampleSeconds - 0.1)],
	},
	{ what: 'just short enough', bytes: createWav(maxVoiceSampleSeconds), expected: [] },
	{
		what: 'just too long',
		bytes: createWav(maxVoiceSampleSeconds + 0.1),
		expected: [describeDuration(maxVoiceSampleSeconds + 0.1)],
	},
	{
		what: 'just too low',
		bytes: createWav(recommendedVoiceSampleSeconds, minVoiceSampleRate - 1),
		expected: [describeRate(minVoiceSampleRate - 1)],
	},
	{
		what: 'of two channels',
		bytes: createWav(recommendedVoiceSampleSeconds, minVoiceSampleRate, 2),
		expected: [describeChannels(2)],
	},
	{
		what: 'MP3',
		bytes: readAudioFile('mpeg-2.5-8000.mp3'),
		expected: [describeDuration(3.2), describeRate(8000)],
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
