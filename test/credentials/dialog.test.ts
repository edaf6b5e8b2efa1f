import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';

describe("the credential's dialog", () => {
	it('has the names of the contract', () => {
		const { name, displayName, documentationUrl } = new VoiceSpeechApi();
		expect({ name, displayName }).toEqual({
			name: 'voiceSpeechApi',
			displayName: 'Voice and Speech API',
		});
		expect(documentationUrl).toMatch(/^https:.*#credentials$/);
	});

	it('asks for the key, the environment and the address, in this order', () => {
		const fields = new VoiceSpeechApi().properties.filter(({ type }) => type !== 'notice');
		expect(fields).toEqual([
			{
				displayName: 'API Key',
				name: 'apiKey',
				type: 'string',
				typeOptions: { password: true },
				required: true,
				default: '',
				description: expect.stringContaining('the scope of every operation') as string,
			},
			{
				displayName: 'Environment',
				name: 'environment',
				type: 'options',
				options: [
					{ name: 'Sandbox', value: 'sandbox', description: expect.stringContaining('eak_test_') },
					{ name: 'Live', value: 'live', description: expect.stringContaining('eak_live_') },
				],
				default: 'sandbox',
				description: expect.stringContaining('A key of the other environment is refused') as string,
			},
			{
				displayName: 'Base URL',
				name: 'baseUrl',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. https://api.example.com',
				description: expect.stringContaining('Plain http only inside your own network') as string,
			},
		]);
	});
});
