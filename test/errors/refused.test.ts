import { refusedBy } from '../../nodes/VoiceSpeech/errors/refused';

const facts = {
	endpoint: { path: '/ai/amd', body: 'chosen', answer: 'any' },
	environment: 'sandbox',
} as const;

it.each([
	[302, 'The service redirects to another address'],
	[400, 'The service did not accept what was sent'],
	[401, 'The service does not accept the API key'],
	[402, 'The sandbox wallet has no credits left for this call'],
	[403, 'The API key is not allowed to do this'],
	[404, 'The service did not find what was asked for at /ai/amd'],
	[413, 'The service finds the request too large'],
	[415, 'The service does not take this format'],
	[418, 'The service refused the call'],
	[429, 'The service is receiving too many requests'],
	[500, 'The service is at fault'],
])('a %i without a word of the service says: %s', (status, what) => {
	expect(refusedBy({ status, sentence: '' }, facts).message).toBe(`${what} (status ${status})`);
});
