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
import { packageJson, read } from '../support/repository';
import '../support/engine';

const options = new VoiceSpeech().description.properties
	.filter(({ name }) => name === 'options')
	.flatMap((field) => field.options as INodeProperties[]);
const optionDefault = (option: string) => options.find(({ name }) => name === option)!.default;

const text = (file: string) => read(file).replace(/\s+/g, ' ');

it('the docs name the limits of the node', () => {
	const page = text('docs/large-files.md');
	expect(responseStallSeconds).toBe(openingStallSeconds);
	expect(page).toContain(`${responseStallSeconds} seconds without a byte while`);
	expect(page).toContain(`${uploadStallSeconds} seconds without progress`);
});

it('the docs name the defaults of the options', () => {
	const timeout = `(Seconds)**, ${optionDefault('answerTimeoutSeconds')} unless`;
	expect(text('docs/large-files.md')).toContain(timeout);
	const wait = `more than ${optionDefault('maxRetryWaitSeconds')} seconds (**Max Retry`;
	expect(text('docs/credits.md')).toContain(wait);
	const concurrency = optionDefault('concurrency');
	expect(text('docs/queue-mode.md')).toContain(`**Concurrency** (default ${concurrency})`);
	expect(text('README.md')).toContain(`at most ${concurrency} calls`);
});

it("the docs name the defaults of n8n's settings", () => {
	const page = text('docs/large-files.md');
	const { formDataFileSizeMax, payloadSizeMax } = Container.get(EndpointsConfig);
	expect(page).toContain(`${formDataFileSizeMax} MiB | n8n: \`N8N_FORMDATA`);
	expect(page).toContain(`For recordings over ${formDataFileSizeMax} MiB`);
	expect(page).toContain(`${payloadSizeMax} MiB | n8n: \`N8N_PAYLOAD`);
	const { dbMaxFileSize } = Container.get(BinaryDataConfig);
	expect(page).toContain(`${dbMaxFileSize} MiB | n8n: \`N8N_BINARY`);
	const { pruneDataMaxAge } = Container.get(ExecutionsConfig);
	expect(text('docs/security.md')).toContain(`for ${pruneDataMaxAge / 24} days`);
});

it('README.md names the file of this version', () => {
	expect(read('README.md')).toContain(`n8n-nodes-voice-speech-${packageJson.version}.tgz`);
});
