/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { EventEmitter, getEventListeners } from 'node:events';

import { RateLimitBackoff } from '../../nodes/VoiceSpeech/execution/backoff';
import { Batch } from '../../nodes/VoiceSpeech/execution/batch';
import type { Item } from '../../nodes/VoiceSpeech/execution/item';
import type { PreparedRequest } from '../../nodes/VoiceSpeech/execution/prepareRequest';
import { sendWithRetries } from '../../nodes/VoiceSpeech/execution/send';

it('opens audio for many items without more listeners on one signal than Node warns about', async () => {
	const batch = new Batch(true, undefined);
	const audio = { identity: [], open: async () => await new Promise<never>(() => {}) };
	const request = {
		options: { answerTimeoutSeconds: 0 },
		payload: { kind: 'multipart', audio, isFromUrl: false, fields: [] },
	} as unknown as PreparedRequest;
	const backoff = new RateLimitBackoff();
	const count = EventEmitter.defaultMaxListeners + 1;
	for (let index = 0; index < count; index++) {
		const item = { index, timeout: 0 } as Item;
		sendWithRetries({ item, request, batch, backoff, onSent() {} }).catch(() => {});
	}
	await new Promise<void>((resolve) => setImmediate(resolve));
	expect(getEventListeners(batch.ended, 'abort').length).toBeLessThan(count);
	batch.end();
});
