import type { INodeType } from 'n8n-workflow';

import { computeFingerprint } from '../../nodes/VoiceSpeech/call/fingerprint';
import { prepareRequest } from '../../nodes/VoiceSpeech/call/prepareRequest';
import { createNumberOption, type Option } from '../../nodes/VoiceSpeech/descriptions/optionKinds';
import { optionDefinitions } from '../../nodes/VoiceSpeech/descriptions/options';
import { textToSpeech } from '../../nodes/VoiceSpeech/resources/speech/textToSpeech';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';
import { createDeclarativeNode } from '../support/engine';
import { useNode } from '../support/node';
import { speechToTextParameters, textToSpeechParameters } from '../support/nodeParameters';
import { createWav } from '../support/media/recordings';
import { respondWithBytes } from '../support/servers/scriptedServer';
import { createStubItem } from '../support/stubItem';

/**
 * An option that sends a field. The code needs no more than this entry in descriptions/options.ts
 * (docs/development/adding.md, "Adding an option").
 */
const speakers = createNumberOption({
	displayName: 'Speakers',
	minimum: 1,
	default: 1,
	changesRequest: true,
	description: 'How many people speak',
	routing: { send: { type: 'body', property: 'speaker_count' } },
});

describe('an option with routing', () => {
	const table: Record<string, Option<unknown>> = optionDefinitions;
	let nodeType: INodeType;
	// The node reads the table itself, so these tests change it. No other file sees this, because jest loads the modules of
	// each test file again.
	beforeEach(() => {
		table.speakers = speakers;
		nodeType = createDeclarativeNode(new VoiceSpeech());
	});
	afterEach(() => delete table.speakers);

	const node = useNode();

	it.each([
		{ what: 'a part if it is set', speakers: '={{ 1 + 1 }}', sent: [['speaker_count', '2']] },
		{ what: 'no part if it is not set', speakers: undefined, sent: [] },
	])('sends $what', async ({ speakers, sent }) => {
		const options = speakers === undefined ? {} : { speakers };
		const { request } = await node.runOnce({ ...speechToTextParameters, options }, { nodeType });
		const parts = request.parts.map(({ name, body }) => [name, body.toString().slice(0, 4)]);
		expect(parts).toEqual([['file', 'RIFF'], ...sent]);
	});

	it('is sent as a JSON field', async () => {
		node.service.respond = respondWithBytes(createWav(0.1), 'audio/wav');
		const parameters = { ...textToSpeechParameters, options: { speakers: 2 } };
		const { request } = await node.runOnce(parameters, { nodeType });
		expect(JSON.parse(request.body.toString())).toEqual({
			text: 'Hello',
			voice_id: 'vc_1',
			speaker_count: 2,
		});
	});

	it.each([
		{ what: 'below its minimum', saved: 0 },
		{ what: 'that is not a number', saved: 'soon' },
		{ what: 'that is a list', saved: '={{ [2, 3] }}' },
	])('is refused for a value $what', async ({ saved }) => {
		const parameters = { ...speechToTextParameters, options: { speakers: saved } };
		const { message } = await node.runUnsent(parameters, { nodeType });
		expect(message).toMatch(/^'Speakers' is .+, not a number of at least 1$/);
	});

	it('is evaluated once for an item', async () => {
		let reads = 0;
		const parameters = { text: 'Hello', voiceId: 'vc_1', options: { speakers: 2 } };
		const item = createStubItem(textToSpeech, parameters);
		const { read } = item;
		item.read = (name, fallback) => {
			if (name === 'options') reads++;
			return read(name, fallback);
		};
		const { payload } = await prepareRequest(item);
		expect(payload).toMatchObject({ text: expect.stringContaining('"speaker_count":2') });
		expect(reads).toBe(1);
	});

	it.each([
		{ reason: 'routing', option: { ...speakers, changesRequest: false } },
		{
			reason: 'changesRequest',
			option: { ...speakers, property: { ...speakers.property, routing: undefined } },
		},
	])('makes another request with another value, by $reason alone', async ({ option }) => {
		table.speakers = option;
		const createFingerprint = async (speakers: number) => {
			const parameters = { text: 'Hello', voiceId: 'vc_1', options: { speakers } };
			return computeFingerprint(await prepareRequest(createStubItem(textToSpeech, parameters)));
		};
		expect(await createFingerprint(2)).toEqual(await createFingerprint(2));
		expect(await createFingerprint(2)).not.toEqual(await createFingerprint(3));
	});

	it('is refused if another field has its name', async () => {
		const fileFieldName = 'speaker_count';
		const { message } = await node.runUnsent(
			{ ...speechToTextParameters, options: { speakers: 2, fileFieldName } },
			{ nodeType },
		);
		expect(message).toContain("'File Field Name' is 'speaker_count'");
	});
});
