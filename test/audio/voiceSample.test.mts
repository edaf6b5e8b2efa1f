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

it.each<[what: string, bytes: Buffer, expected: string[]]>([
	['as recommended', createWav(recommendedVoiceSampleSeconds), []],
	['just long enough', createWav(minVoiceSampleSeconds), []],
	[
		'just too short',
		createWav(minVoiceSampleSeconds - 0.1),
		[describeDuration(minVoiceSampleSeconds - 0.1)],
	],
	['just short enough', createWav(maxVoiceSampleSeconds), []],
	[
		'just too long',
		createWav(maxVoiceSampleSeconds + 0.1),
		[describeDuration(maxVoiceSampleSeconds + 0.1)],
	],
	[
		'just too low',
		createWav(recommendedVoiceSampleSeconds, minVoiceSampleRate - 1),
		[describeRate(minVoiceSampleRate - 1)],
	],
	[
		'of two channels',
		createWav(recommendedVoiceSampleSeconds, minVoiceSampleRate, 2),
		[describeChannels(2)],
	],
	['MP3', readAudioFile('mpeg-2.5-8000.mp3'), [describeDuration(3.2), describeRate(8000)]],
	['M4A without an index', readAudioFile('truncated.m4a'), []],
	['of unknown format', readAudioFile('free-format.mp3'), []],
])(
	'finds what differs from the recommendation in a voice sample: %s',
	async (_, bytes, expected) => {
		const { properties } = await probeBytes(bytes);
		expect(compareVoiceSample(properties).map(({ text }) => text)).toEqual(expected);
	},
);
