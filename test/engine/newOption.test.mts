import type { INodeType } from 'n8n-workflow';

import {
	createNumberOption,
	type Option,
} from '../../nodes/VoiceSpeech/descriptions/optionKinds.ts';
import { optionDefinitions } from '../../nodes/VoiceSpeech/descriptions/options.ts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';
import { createDeclarativeNode } from '../support/engine.mts';
import { useNode } from '../support/node.mts';
import { speechToTextParameters, textToSpeechParameters } from '../support/nodeParameters.mts';
import { createWav } from '../support/media/recordings.mts';
import { respondWithBytes } from '../support/servers/scriptedServer.mts';

/**
 * An option that sends a field. The code needs no more than this entry in descriptions/options.ts
 * (docs/development/adding.md, "Adding an option").
 */
const testCount = createNumberOption({
	displayName: 'Test Count',
	minimum: 1,
	default: 1,
	changesRequest: true,
	description: 'A number that only this test sends',
	routing: { send: { type: 'body', property: 'test_count' } },
});

describe('an option with routing', () => {
	const table: Record<string, Option<unknown>> = optionDefinitions;
	let nodeType: INodeType;
	// The node reads the table itself, so these tests change it. No other file sees this, because jest loads the modules of
	// each test file again.
	beforeEach(() => {
		table.testCount = testCount;
		nodeType = createDeclarativeNode(new VoiceSpeech());
	});
	afterEach(() => delete table.testCount);

	const node = useNode();

	it.each([
		{ what: 'a part if it is set', saved: '={{ 1 + 1 }}', sent: [['test_count', '2']] },
		{ what: 'no part if it is not set', saved: undefined, sent: [] },
	])('sends $what', async ({ saved, sent }) => {
		const options = saved === undefined ? {} : { testCount: saved };
		const { request } = await node.runOnce({ ...speechToTextParameters, options }, { nodeType });
		const parts = request.parts.map(({ name, body }) => [name, body.toString().slice(0, 4)]);
		expect(parts).toEqual([['file', 'RIFF'], ...sent]);
	});

	it('is evaluated once for an item, and sent as a JSON field', async () => {
		let reads = 0;
		const json = {
			get count() {
				reads++;
				return 2;
			},
		};
		const parameters = { ...textToSpeechParameters, options: { testCount: '={{ $json.count }}' } };
		node.service.respond = respondWithBytes(createWav(0.1), 'audio/wav');
		const { request } = await node.runOnce(parameters, { nodeType, items: [{ json }] });
		expect(reads).toBe(1);
		expect(JSON.parse(request.body.toString())).toEqual({
			text: 'Hello',
			voice_id: 'vc_1',
			test_count: 2,
		});
	});

	it.each([
		{ reason: 'routing', option: { ...testCount, changesRequest: false } },
		{
			reason: 'changesRequest',
			option: { ...testCount, property: { ...testCount.property, routing: undefined } },
		},
	])('makes another request with another value, by $reason alone', async ({ option }) => {
		table.testCount = option;
		const { calls } = await node.runItems(2, {
			nodeType,
			// Item 0 succeeds, and item 1 fails, so that n8n tries again.
			respond: (item, earlier) => (item === 1 && earlier === 0 ? 500 : 200),
			concurrency: 1,
			maxTries: 2,
			options: { testCount: '={{ 1 + Math.floor(Math.random() * 1e9) }}' },
		});
		expect(calls).toEqual([0, 1, 0, 1]);
	});

	it('is rejected if another field has its name', async () => {
		const fileFieldName = 'test_count';
		const { message } = await node.runUnsent(
			{ ...speechToTextParameters, options: { testCount: 2, fileFieldName } },
			{ nodeType },
		);
		expect(message).toContain("'File Field Name' is 'test_count'");
	});
});
