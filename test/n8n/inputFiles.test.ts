/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { once } from 'node:events';
import { Readable } from 'node:stream';

import { inputFileSource } from '../../nodes/VoiceSpeech/n8n/inputFiles';

it.each([
	['while it is read', false],
	['before it is open', true],
])(
	'a file whose storage returns nothing is closed if the call is stopped %s',
	async (_, isEarly) => {
		const stream = new Readable({ read() {} });
		const data = { id: 'filesystem:1', mimeType: 'audio/wav', fileName: 'call.wav' };
		const context = {
			getInputData: () => ({ json: {}, binary: { data } }),
			getWorkflowSettings: () => ({}),
			helpers: {
				getBinaryMetadata: async () => ({ fileSize: 100 }),
				getBinaryStream: async () => stream,
			},
		} as unknown as IExecuteSingleFunctions;
		const stop = new AbortController();
		const closed = once(stream, 'close');
		if (isEarly) stop.abort();
		const { chunks } = await inputFileSource(context, 'data').open(stop.signal);
		const read = chunks[Symbol.asyncIterator]().next();
		if (!isEarly) stop.abort();
		await Promise.all([closed, expect(read).rejects.toThrow()]);
	},
);
