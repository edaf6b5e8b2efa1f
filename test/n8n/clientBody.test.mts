import { buffer } from 'node:stream/consumers';

import type { Upload } from '../../nodes/VoiceSpeech/call/request.ts';
import { createClientBody } from '../../nodes/VoiceSpeech/n8n/httpClient.ts';
import { JsonText } from '../../nodes/VoiceSpeech/text/json.ts';

// test/engine/requests.test.mts and test/engine/rawRequests.test.mts test what n8n's client sends of these bodies.

function createUpload(mimeType: string): Upload & { size: number } {
	return {
		fileName: 'call.pcm',
		mimeType,
		size: 3,
		async *read() {
			yield Buffer.from('abc');
		},
	};
}

describe("the body for n8n's client", () => {
	it('has the fields of a form after the audio, as texts', async () => {
		const { content, contentType } = createClientBody({
			kind: 'audioForm',
			fields: [
				['language', 'en'],
				['limit', new JsonText('5')],
			],
			fileFieldName: 'file',
			upload: createUpload('audio/wav'),
		});
		const [[name, file], ...fields] = [...(content as FormData)] as [[string, File]];
		expect(contentType).toBeUndefined();
		expect(fields).toEqual([
			['language', 'en'],
			['limit', '5'],
		]);
		expect(name).toBe('file');
		expect(file).toMatchObject({ name: 'call.pcm', type: 'audio/wav', size: 3 });
		const stream = file.stream() as unknown as AsyncIterable<Uint8Array>;
		expect((await buffer(stream)).toString()).toBe('abc');
	});

	it('has the fields of a form without audio', () => {
		const { content, contentType } = createClientBody({
			kind: 'form',
			fields: [['language', 'en']],
		});
		expect(contentType).toBeUndefined();
		expect([...(content as FormData)]).toEqual([['language', 'en']]);
	});

	it.each([
		{ mimeType: 'audio/L16;rate=24000', type: 'audio/l16;rate=24000' },
		{ mimeType: '', type: 'application/octet-stream' },
	])('has the type $type for a raw body that is declared as "$mimeType"', ({ mimeType, type }) => {
		const upload = createUpload(mimeType);
		const { content, contentType } = createClientBody({ kind: 'audioBody', upload });
		expect(contentType).toBe(type);
		expect(content).toMatchObject({ size: 3 });
	});

	it('has the bytes of JSON', () => {
		expect(createClientBody({ kind: 'json', text: '{"text":"ä"}' })).toEqual({
			content: Buffer.from('{"text":"ä"}'),
			contentType: 'application/json',
		});
	});
});
