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

const options = new VoiceSpeech().description.properties
	.filter(({ name }) => name === 'options')
	.flatMap((field) => field.options as INodeProperties[]);
const optionDefault = (option: string) => options.find(({ name }) => name === option)!.default;

/** n8n's settings with their defaults. */
const endpoints = Container.get(EndpointsConfig);
const { dbMaxFileSize } = Container.get(BinaryDataConfig);
const { pruneDataMaxAge } = Container.get(ExecutionsConfig);

it.each([
	{
		file: 'large-files.md',
		pattern: /(\d+) seconds without a byte while/,
		value: openingStallSeconds,
	},
	{
		file: 'large-files.md',
		pattern: /(\d+) seconds without a byte while/,
		value: responseStallSeconds,
	},
	{ file: 'large-files.md', pattern: /(\d+) seconds without progress/, value: uploadStallSeconds },
	{
		file: 'large-files.md',
		pattern: /\(Seconds\)\*\*, (\d+) unless/,
		value: optionDefault('answerTimeoutSeconds'),
	},
	{
		file: 'large-files.md',
		pattern: /(\d+) MiB \| n8n: `N8N_FORMDATA/,
		value: endpoints.formDataFileSizeMax,
	},
	{
		file: 'large-files.md',
		pattern: /For recordings over (\d+) MiB/,
		value: endpoints.formDataFileSizeMax,
	},
	{
		file: 'large-files.md',
		pattern: /(\d+) MiB \| n8n: `N8N_PAYLOAD/,
		value: endpoints.payloadSizeMax,
	},
	{ file: 'large-files.md', pattern: /(\d+) MiB \| n8n: `N8N_BINARY/, value: dbMaxFileSize },
	{ file: 'security.md', pattern: /for (\d+) days/, value: pruneDataMaxAge / 24 },
	{
		file: 'credits.md',
		pattern: /more than (\d+) seconds \(\*\*Max Retry/,
		value: optionDefault('maxRetryWaitSeconds'),
	},
	{
		file: 'queue-mode.md',
		pattern: /\*\*Concurrency\*\* \(default (\d+)\)/,
		value: optionDefault('concurrency'),
	},
	{ file: '../README.md', pattern: /at most (\d+) calls/, value: optionDefault('concurrency') },
	{
		file: '../README.md',
		pattern: /n8n-nodes-voice-speech-(.+?)\.tgz/,
		value: packageJson.version,
	},
])('docs/$file: $pattern is the value of n8n or the node', ({ file, pattern, value }) => {
	const [, figure] = pattern.exec(read(`docs/${file}`).replace(/\s+/g, ' ')) ?? [];
	expect(figure).toBe(String(value));
});
