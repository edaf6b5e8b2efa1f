import { EndpointsConfig, ExecutionsConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { BinaryDataConfig } from 'n8n-core';
import type { INodeProperties } from 'n8n-workflow';

import {
	minVoiceSampleRate,
	recommendedVoiceSampleSeconds,
} from '../../nodes/VoiceSpeech/service/endpoint.ts';
import * as limits from '../../nodes/VoiceSpeech/limits.ts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';
import { packageJson, readRepositoryFile } from '../support/repository.mts';
import '../support/engine.mts';

const options = new VoiceSpeech().description.properties
	.filter(({ name }) => name === 'options')
	.flatMap((field) => field.options as INodeProperties[]);
const findDefault = (option: string) => options.find(({ name }) => name === option)!.default;

/** A page with single spaces, also in its tables. */
const readText = (file: string) => readRepositoryFile(file).replace(/\s+/g, ' ');

const convertedHours = limits.maxConvertedSeconds / 3600;
const uncheckedMinutes = limits.maxSecondsOfAnySize / 60;
const lowestRate = `${minVoiceSampleRate / 1000} kHz`;
const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

it.each([
	{
		page: 'docs/large-files.md',
		says: `${limits.responseStallSeconds} seconds without a byte while`,
	},
	{ page: 'docs/large-files.md', says: `${limits.uploadStallSeconds} seconds without progress` },
	{
		page: 'docs/large-files.md',
		says: `The upload stalled for ${limits.uploadStallSeconds} seconds`,
	},
	{ page: 'docs/large-files.md', says: `| ${convertedHours} hours |` },
	{ page: 'docs/troubleshooting.md', says: `parts of at most ${uncheckedMinutes} minutes` },
	{
		page: 'docs/operations/README.md',
		says: `more than ${uncheckedMinutes} minutes must have at least ${limits.minBytesPerSecond} bytes of audio per second`,
	},
	{
		page: 'docs/operations/README.md',
		says: `more than ${limits.maxKeptUrlBytes / 2 ** 20} MiB is usually fetched twice`,
	},
	{
		page: 'docs/operations/clone.md',
		says: `under ${limits.minVoiceSampleSeconds} or over ${limits.maxVoiceSampleSeconds} seconds`,
	},
	{ page: 'docs/operations/clone.md', says: `in a quiet place, at ${lowestRate} or higher` },
	{
		page: 'docs/operations/clone.md',
		says: `Record about ${recommendedVoiceSampleSeconds} seconds of`,
	},
	{ page: 'docs/operations/clone.md', says: `a sampling rate below ${lowestRate}` },
	{ page: 'docs/operations/clone.md', says: `one channel and at least ${lowestRate}` },
	{ page: 'docs/operations/README.md', says: `up to ${limits.maxAudioRedirects} redirects` },
	{ page: 'docs/security.md', says: `up to ${limits.maxAudioRedirects} redirects` },
	{
		page: 'docs/troubleshooting.md',
		says: `redirects more than ${limits.maxAudioRedirects} times`,
	},
	{
		page: 'docs/queue-mode.md',
		says: `larger than ${limits.maxKeptFileBytes / 2 ** 20} MiB`,
	},
	{
		page: 'docs/credits.md',
		says: `waits ${limits.maxFirstRetryWaitSeconds / 2} to ${limits.maxFirstRetryWaitSeconds} second`,
	},
])('$page names a limit of the node: $says', ({ page, says }) => {
	expect(readText(page)).toContain(says);
});

it('one sentence of docs/large-files.md is about two limits that are equal', () => {
	expect(limits.responseStallSeconds).toBe(limits.openingStallSeconds);
});

it('the docs name the defaults of the options', () => {
	const timeout = `(Seconds)**, ${findDefault('responseTimeoutSeconds')} unless`;
	expect(readText('docs/large-files.md')).toContain(timeout);
	const wait = `more than ${findDefault('maxRetryWaitSeconds')} seconds (**Max Retry`;
	expect(readText('docs/credits.md')).toContain(wait);
	const retries = `up to ${numbers[Number(findDefault('rateLimitRetries'))]} times (**Rate Limit`;
	expect(readText('docs/credits.md')).toContain(retries);
	const concurrency = findDefault('concurrency');
	expect(readText('docs/queue-mode.md')).toContain(`**Concurrency** (default ${concurrency})`);
	expect(readText('README.md')).toContain(`at most ${concurrency} calls`);
	const calls = numbers[Number(concurrency)];
	expect(readText('docs/credits.md')).toContain(`At most ${calls} calls of one node run`);
	expect(readText('docs/credits.md')).toContain(
		`and ${calls} calls are in progress for the others`,
	);
	expect(readText('docs/operations/README.md')).toContain(`[${calls} at a time]`);
});

it("the docs name the defaults of n8n's settings", () => {
	const page = readText('docs/large-files.md');
	const { formDataFileSizeMax, payloadSizeMax } = Container.get(EndpointsConfig);
	expect(page).toContain(`${formDataFileSizeMax} MiB | n8n: \`N8N_FORMDATA`);
	expect(page).toContain(`For recordings over ${formDataFileSizeMax} MiB`);
	expect(page).toContain(`${payloadSizeMax} MiB | n8n: \`N8N_PAYLOAD`);
	const { dbMaxFileSize } = Container.get(BinaryDataConfig);
	expect(page).toContain(`${dbMaxFileSize} MiB | n8n: \`N8N_BINARY`);
	const { pruneDataMaxAge } = Container.get(ExecutionsConfig);
	expect(readText('docs/security.md')).toContain(`for ${pruneDataMaxAge / 24} days`);
});

it('README.md names the file of this version', () => {
	expect(readRepositoryFile('README.md')).toContain(
		`n8n-nodes-voice-speech-${packageJson.version}.tgz`,
	);
});
