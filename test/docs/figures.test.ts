import { EndpointsConfig, ExecutionsConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { BinaryDataConfig } from 'n8n-core';
import type { INodeProperties } from 'n8n-workflow';

import {
	openingStallSeconds,
	responseStallSeconds,
	uploadStallSeconds,
} from '../../nodes/VoiceSpeech/limits';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';
import { packageJson, read } from '../package/repository';
import '../support/engine';

const optionDefaults = Object.fromEntries(
	new VoiceSpeech().description.properties
		.filter(({ name }) => name === 'options')
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.map(({ name, default: value }) => [name, String(value)]),
);

/** n8n's own settings, as this version of it begins with them. */
function n8nDefaults() {
	const { dbMaxFileSize } = Container.get(BinaryDataConfig);
	const { formDataFileSizeMax, payloadSizeMax } = Container.get(EndpointsConfig);
	const { pruneDataMaxAge } = Container.get(ExecutionsConfig);
	return { dbMaxFileSize, formDataFileSizeMax, payloadSizeMax, pruneDataMaxAge };
}

/** The numbers that a pattern finds in a document; each pattern has one group. */
function numbersIn(file: string, pattern: RegExp): string[] {
	const text = read(file).replace(/\s+/g, ' ');
	return [...text.matchAll(new RegExp(pattern, 'g'))].map(([, number = '']) => number);
}

it.each([
	['docs/large-files.md', /(\d+) seconds without a byte while/, () => openingStallSeconds],
	['docs/large-files.md', /(\d+) seconds without a byte while/, () => responseStallSeconds],
	['docs/large-files.md', /(\d+) seconds without progress/, () => uploadStallSeconds],
	[
		'docs/large-files.md',
		/\(Seconds\)\*\*, (\d+) unless/,
		() => optionDefaults.answerTimeoutSeconds,
	],
	[
		'docs/large-files.md',
		/(\d+) MiB \| n8n: `N8N_FORMDATA/,
		() => n8nDefaults().formDataFileSizeMax,
	],
	['docs/large-files.md', /For recordings over (\d+) MiB/, () => n8nDefaults().formDataFileSizeMax],
	['docs/large-files.md', /(\d+) MiB \| n8n: `N8N_PAYLOAD/, () => n8nDefaults().payloadSizeMax],
	['docs/large-files.md', /(\d+) MiB \| n8n: `N8N_BINARY/, () => n8nDefaults().dbMaxFileSize],
	['docs/security.md', /for (\d+) days/, () => n8nDefaults().pruneDataMaxAge / 24],
	['docs/many-items.md', /At most (\d+) calls/, () => optionDefaults.concurrency],
	['docs/many-items.md', /is sent again \((\d+) times\)/, () => optionDefaults.rateLimitRetries],
	[
		'docs/many-items.md',
		/\(Seconds\)\*\* \((\d+)\), the call fails/,
		() => optionDefaults.maxRetryWaitSeconds,
	],
	['README.md', /At most (\d+) calls/, () => optionDefaults.concurrency],
	['README.md', /n8n-nodes-voice-speech-(.+?)\.tgz/, () => packageJson.version],
])('%s: %s is what it is in n8n and in the node', (file, pattern, actual) => {
	expect(numbersIn(file, pattern)).toEqual([String(actual())]);
});
