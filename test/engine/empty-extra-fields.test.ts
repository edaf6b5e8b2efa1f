import { extra, recording, speak, speechToText, undocumented, useNode } from '../support/node';
import { expectParts, filePart, textPart } from '../support/wire';

const node = useNode();

const values = ['={{ null }}', '={{ undefined }}', '', '={{ "" }}', '={{ $json.missing }}'];

/** `json` rows as well: an empty value is an empty text for both. */
describe.each(['text', 'json', undefined] as const)('an extra field of type %s', (type) => {
	it.each(values)('that is %p sends an empty text in multipart', async (value) => {
		const { request } = await node.runOnce({ ...speechToText, ...extra(['tag', value, type]) });
		expectParts(request, [
			filePart('file', 'call.wav', 'audio/wav', recording),
			textPart('tag', ''),
		]);
	});

	it.each(values)('that is %p sends an empty text in JSON', async (value) => {
		const { request } = await node.run({ ...speak, ...extra(['tag', value, type]) }).then(() => ({
			request: node.service.requests[0],
		}));
		expect(JSON.parse(String(request?.body))).toMatchObject({ tag: '' });
	});

	it.each(values)('that is %p sends an empty text in the JSON body', async (value) => {
		const jsonBody = '{"a": 1}';
		const { request } = await node.runOnce({
			...undocumented,
			inputType: 'json',
			jsonBody,
			...extra(['tag', value, type]),
		});
		expect(JSON.parse(request.body.toString())).toEqual({ a: 1, tag: '' });
	});
});

it.each([
	['the text null', 'null', 'text' as const, 'null'],
	['white space', ' ', 'text' as const, ' '],
	['zero', '={{ 0 }}', 'text' as const, '0'],
	['false', '={{ false }}', 'text' as const, 'false'],
])('what is not empty is sent as it is: %s', async (_what, value, type, sent) => {
	const { request } = await node.runOnce({ ...speechToText, ...extra(['tag', value, type]) });
	expectParts(request, [
		filePart('file', 'call.wav', 'audio/wav', recording),
		textPart('tag', sent),
	]);
});
