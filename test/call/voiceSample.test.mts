import { compareVoiceSample } from '../../nodes/VoiceSpeech/call/openBody.ts';
import {
	minVoiceSampleRate,
	recommendedVoiceSampleSeconds as recommended,
} from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { maxVoiceSampleSeconds, minVoiceSampleSeconds } from '../../nodes/VoiceSpeech/limits.ts';
import { readAudioFile, probeBytes } from '../support/media/audioFiles.mts';
import { createWav } from '../support/media/recordings.mts';

// test/engine/outputItems.test.mts tests what the node does with the findings.

const tooShort = minVoiceSampleSeconds - 0.1;
const tooLong = maxVoiceSampleSeconds + 0.1;
const tooLow = minVoiceSampleRate - 1;

const describeDuration = (seconds: number) =>
	`It lasts ${seconds} seconds; about ${recommended} are recommended.`;
const describeRate = (rate: number) =>
	`Its sampling rate is ${rate} Hz; the service asks for ${minVoiceSampleRate} Hz or higher.`;
const twoChannels = 'It has 2 channels: make sure that only one person speaks in it.';

it.each<[what: string, bytes: Buffer, expected: string[]]>([
	['as recommended', createWav(recommended), []],
	['just long enough', createWav(minVoiceSampleSeconds), []],
	['just too short', createWav(tooShort), [describeDuration(tooShort)]],
	['just short enough', createWav(maxVoiceSampleSeconds + 0.04), []],
	['just too long', createWav(tooLong), [describeDuration(tooLong)]],
	['just too low', createWav(recommended, tooLow), [describeRate(tooLow)]],
	['of two channels', createWav(recommended, minVoiceSampleRate, 2), [twoChannels]],
	['MP3', readAudioFile('mpeg-2.5-8000.mp3'), [describeDuration(3.2), describeRate(8000)]],
	['M4A without an index', readAudioFile('truncated.m4a'), []],
])('finds what differs from the recommendation in a voice sample: %s', async (...row) => {
	const [, bytes, expected] = row;
	const { properties } = await probeBytes(bytes);
	expect(compareVoiceSample(properties).map(({ text }) => text)).toEqual(expected);
});
