import { extra, speak, speechToText, undocumented, useNode } from '../support/node';
import { bytes } from '../support/recorder';
import { wav } from '../support/recordings';

const node = useNode();

const clone = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };

describe('an expression that yields none of the choices', () => {
	it.each([
		['Format Check', { ...speechToText, options: { formatCheck: 'Reject' } }],
		['Sample Check', { ...clone, options: { sampleCheck: 'Reject' } }],
		['Input Type', { ...undocumented, inputType: '={{ "JSON" }}', text: 'Hello' }],
		['Audio Source', { ...speechToText, audioSource: '={{ "URL" }}', audioUrl: 'https://a' }],
	])('is refused before anything is sent: %s', async (label, parameters) => {
		const { message, description } = await node.runUnsent(parameters);
		expect(message).toMatch(new RegExp(`^'${label}' is '.*', which is not one of its choices$`));
		expect(description).toContain('Nothing was sent');
	});
});

it('reports the voice and the length that were sent, where extra fields replace them', async () => {
	node.service.answer = bytes(wav(), 'audio/wav');
	const { items } = await node.runOnce({
		...speak,
		...extra(['voice_id', 'vc_9'], ['text', 'Good evening']),
	});
	expect(items[0]?.json).toMatchObject({ voiceId: 'vc_9', characters: 12 });
});
