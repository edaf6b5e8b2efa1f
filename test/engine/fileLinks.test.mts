import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { getBinaryHelperFunctions } from 'n8n-core/dist/execution-engine/node-execution-context/utils/binary-helper-functions.js';
import type { INodeParameters } from 'n8n-workflow';

import { readOptions } from '../../nodes/VoiceSpeech/call/readOptions.ts';
import { createLink } from '../../nodes/VoiceSpeech/n8n/fileLinks.ts';
import { textToSpeech } from '../../nodes/VoiceSpeech/resources/speech/textToSpeech.ts';
import { createNumberedItems } from '../support/calls.mts';
import { useNode } from '../support/node.mts';
import { textToSpeechParameters, undocumentedTextParameters } from '../support/nodeParameters.mts';
import { createWav } from '../support/media/recordings.mts';
import { respondWithBytes, respondWithJson } from '../support/servers/scriptedServer.mts';

// test/versions opens links of a running n8n.

const speech = createWav(0.2);

const respondWithSpeech = respondWithBytes(speech, 'audio/wav');

const link = (linkHours: unknown) => ({ options: { linkHours } }) as INodeParameters;

describe('with files on disk', () => {
	const node = useNode();

	/** What n8n has signed: the ID of the file, and until when the link works. */
	function readLink(url: unknown) {
		expect(url).toEqual(expect.stringMatching(/^http:\/\/localhost\/binary-data\/signed\?token=/));
		const token = new URL(url as string).searchParams.get('token')!;
		const { exp } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
			exp: number;
		};
		return { id: Container.get(BinaryDataService).validateSignedToken(token), endsAt: exp * 1000 };
	}

	it.each([
		{ hours: 0.5, seconds: 1800, parameters: undocumentedTextParameters },
		{ hours: '={{ 1 + 1 }}', seconds: 7200, parameters: textToSpeechParameters },
	])('$parameters.operation outputs a link that works for $hours hours', async (row) => {
		node.service.respond = respondWithSpeech;
		const startedAt = Date.now();
		const { items } = await node.runOnce({ ...row.parameters, ...link(row.hours) });
		expect(Object.keys(items[0]!.json).slice(-2)).toEqual(['url', 'urlExpiresAt']);
		const { url, urlExpiresAt } = items[0]!.json;
		const { id, endsAt } = readLink(url);
		expect(id).toBe(items[0]!.binary!.data!.id);
		// n8n counts in seconds, and the next one may have begun.
		const expiresAt = Date.parse(urlExpiresAt as string);
		expect(endsAt - expiresAt).toBeGreaterThanOrEqual(0);
		expect(endsAt - expiresAt).toBeLessThanOrEqual(1000);
		expect(expiresAt - startedAt).toBeGreaterThan((row.seconds - 1) * 1000);
	});

	it('a response that is not a file has no link', async () => {
		node.service.respond = respondWithJson({ url: 'theirs' });
		const { items } = await node.runOnce({ ...undocumentedTextParameters, ...link(1) });
		expect(items[0]?.json).toEqual({ url: 'theirs' });
	});
});

describe('with files in memory, where n8n creates no links', () => {
	const node = useNode('default');
	const withLink = { parameters: { ...textToSpeechParameters }, options: { linkHours: 24 } };
	const message =
		"The option 'Link (Hours)' needs an n8n that stores files, and this one keeps them in memory";

	it('nothing is sent', async () => {
		const { calls, error } = await node.runItems(3, withLink);
		expect(calls).toEqual([]);
		expect(error).toMatchObject({
			message,
			description: expect.stringContaining('N8N_DEFAULT_BINARY_DATA_MODE') as string,
		});
	});

	it("nothing is sent with On Error 'Continue'", async () => {
		const { calls, all } = await node.runItems(createNumberedItems(2), {
			...withLink,
			onError: 'Continue',
		});
		expect(calls).toEqual([]);
		expect(all.map(({ json }) => json)).toEqual([
			expect.objectContaining({ error: expect.objectContaining({ message, debit: 'notSent' }) }),
			expect.objectContaining({ error: expect.objectContaining({ message, debit: 'notSent' }) }),
		]);
	});

	it('a file for which n8n creates no link is output with the reason', () => {
		const file = { data: speech.toString('base64'), mimeType: 'audio/wav' };
		const output = {
			json: {},
			files: { data: file },
			sampleWarnings: [],
			audioName: '',
			responseInfo: undefined,
		};
		const options = readOptions({ linkHours: 24 }, textToSpeech.endpoint);
		const helpers = getBinaryHelperFunctions({ restApiUrl: 'http://localhost' } as never, 'test');
		expect(createLink(helpers, { output, options })).toEqual({
			linkWarning: 'n8n did not create a link: URL signing is not available in memory mode',
		});
	});
});
