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
	['large-files.md', /(\d+) seconds without a byte while/, openingStallSeconds],
	['large-files.md', /(\d+) seconds without a byte while/, responseStallSeconds],
	['large-files.md', /(\d+) seconds without progress/, uploadStallSeconds],
	['large-files.md', /\(Seconds\)\*\*, (\d+) unless/, optionDefault('answerTimeoutSeconds')],
	['large-files.md', /(\d+) MiB \| n8n: `N8N_FORMDATA/, endpoints.formDataFileSizeMax],
	['large-files.md', /For recordings over (\d+) MiB/, endpoints.formDataFileSizeMax],
	['large-files.md', /(\d+) MiB \| n8n: `N8N_PAYLOAD/, endpoints.payloadSizeMax],
	['large-files.md', /(\d+) MiB \| n8n: `N8N_BINARY/, dbMaxFileSize],
	['security.md', /for (\d+) days/, pruneDataMaxAge / 24],
	['credits.md', /more than (\d+) seconds \(\*\*Max Retry/, optionDefault('maxRetryWaitSeconds')],
	['queue-mode.md', /\*\*Concurrency\*\* \(default (\d+)\)/, optionDefault('concurrency')],
	['../README.md', /at most (\d+) calls/, optionDefault('concurrency')],
	['../README.md', /n8n-nodes-voice-speech-(.+?)\.tgz/, packageJson.version],
])('docs/%s: %s is the value of n8n or the node', (file, pattern, value) => {
	const [, figure] = pattern.exec(read(`docs/${file}`).replace(/\s+/g, ' ')) ?? [];
	expect(figure).toBe(String(value));
});
