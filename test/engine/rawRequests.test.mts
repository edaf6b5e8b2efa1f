import type { INodeParameters } from 'n8n-workflow';

import { expectCall } from '../support/expectRequest.mts';
import { fileConvertedToWav, readAudioFile } from '../support/media/audioFiles.mts';
import { nodeKey, recording, useNode } from '../support/node.mts';
import {
	speechToTextParameters,
	undocumentedParameters,
	undocumentedTextParameters,
} from '../support/nodeParameters.mts';
import { unsent } from '../support/outcome.mts';
import { respondWithBytes, ScriptedServer } from '../support/servers/scriptedServer.mts';

// What users can change of the requests of the operations that are not documented.

const node = useNode();

const rawBody = { ...undocumentedParameters, inputType: 'audioBody' };

const createRows = (...parameter: Array<{ name: unknown; value: unknown }>) => ({ parameter });

const addOptions = (options: object, parameters: object = undocumentedTextParameters) =>
	({ ...parameters, options }) as INodeParameters;

describe("the Input Type 'Audio (Raw Body)'", () => {
	it('sends the bytes of the file as a raw body, which has no place for fields', async () => {
		const field = [{ name: 'model', value: 'large' }];
		const parameters = { ...rawBody, language: 'en', extraFields: { field } };
		const { request } = await node.runOnce(parameters);
		expect(request.body.equals(recording)).toBe(true);
		expect(request.headers['content-type']).toBe('audio/wav');
		expectCall(request, '/ai/amd', nodeKey);
	});

	it('converts the recording', async () => {
		const bytes = readAudioFile(fileConvertedToWav.file);
		const data = { bytes, fileName: fileConvertedToWav.file, mimeType: 'audio/x' };
		const { request } = await node.runOnce(rawBody, { files: { data } });
		expect(request.headers['content-type']).toBe('audio/wav');
		expect(request.body.toString('latin1', 0, 4)).toBe('RIFF');
	});

	describe('from a URL', () => {
		const source = ScriptedServer.use();
		const createUrlParameters = () => ({
			...rawBody,
			audioSource: 'url',
			audioUrl: `${source.baseUrl}/a`,
		});

		it('forwards audio with its length', async () => {
			source.respond = (request, response) => {
				response.setHeader('Content-Length', recording.length);
				respondWithBytes(recording, 'audio/wav')(request, response, 0);
			};
			const { request } = await node.runOnce(createUrlParameters(), { files: {} });
			expect(request.body.equals(recording)).toBe(true);
		});

		it('rejects audio without a length', async () => {
			source.respond = (_request, response) => {
				response.writeHead(200, { 'Content-Type': 'audio/wav' });
				response.write(recording);
				response.end();
			};
			expect(await node.runUnsent(createUrlParameters(), { files: {} })).toEqual({
				message: "The server of 'Audio URL' does not report the length of the audio",
				description: expect.stringMatching(
					/^Set 'Input Type' to 'Audio'\. Or download it .* was not sent, so it was not debited\.$/,
				) as string,
			});
		});
	});
});

describe("the option 'Query Parameters'", () => {
	it('adds its rows to the address, encoded', async () => {
		const queryParameters = createRows(
			{ name: 'detail', value: 'a&b c' },
			{ name: 'detail', value: 2 },
			{ name: '__proto__', value: 'a1' },
		);
		const { request } = await node.runOnce(addOptions({ queryParameters }));
		expect(request.url).toBe('/ai/amd?detail=a%26b+c&detail=2&__proto__=a1');
	});

	it('is ignored for an operation that is documented', async () => {
		const queryParameters = createRows({ name: 'a', value: 'b' });
		const { request } = await node.runOnce(addOptions({ queryParameters }, speechToTextParameters));
		expect(request.url).toBe('/ai/speech-to-text');
	});
});

describe("the option 'Headers'", () => {
	it('adds its rows to the request', async () => {
		const headers = createRows(
			{ name: 'X-Request-ID', value: 'a1' },
			{ name: 'Accept', value: 'a/b' },
		);
		const { request } = await node.runOnce(addOptions({ headers }));
		expect(request.headers).toMatchObject({ 'x-request-id': 'a1', 'x-api-key': nodeKey });
		expect(request.headers.accept).toBe('a/b');
	});

	it('rejects a header that the node sets itself', async () => {
		const headers = createRows({ name: 'X-API-Key', value: 'other' });
		expect(await node.runUnsent(addOptions({ headers }))).toEqual({
			message: "The option 'Headers' cannot set 'X-API-Key'",
			description: `The node sets this header itself. Remove the row. ${unsent}`,
		});
	});
});
