import { useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { respondWithJson, ScriptedServer } from '../support/servers/scriptedServer.mts';

const node = useNode();

// The tests in test/credentials have all keys and base URLs that are refused.
describe('the credential', () => {
	it('fails the item before anything is sent if it is not valid', async () => {
		// The recorder is the proxy for all hosts, so any request would arrive there.
		const proxied = { ...speechToTextParameters, requestOptions: { proxy: node.service.baseUrl } };
		const credential = { baseUrl: 'http://voice.example.com/api' };
		expect(await node.runUnsent(proxied, { credential })).toEqual({
			message:
				"The 'Base URL' of the credential 'Test' would send the key unencrypted to the public host 'voice.example.com'",
			description:
				"Use 'https://'. Plain 'http://' is only for hosts of your own network. This item was not sent, so it was not debited.",
		});
	});

	it('accepts white space, capitals and a path of the service in the base URL', async () => {
		const proxied = { ...speechToTextParameters, requestOptions: { proxy: node.service.baseUrl } };
		const credential = { baseUrl: ' HTTP://Voice.Internal/a/AI//\n' };
		const { request } = await node.runOnce(proxied, { credential });
		expect(request.url).toBe('http://voice.internal/a/AI/ai/speech-to-text');
	});
});

describe('a redirect', () => {
	const elsewhere = ScriptedServer.use(respondWithJson({ text: 'stolen' }));

	// test/engine/refusals.test.mts tests redirects to the same origin, and test/credentials those of other nodes.
	it('is not followed', async () => {
		const location = `${elsewhere.baseUrl}/ai/elsewhere`;
		node.service.respond = respondWithJson({}, 308, { Location: location });
		const { error, items } = await node.run(speechToTextParameters);
		expect(items).toEqual([]);
		expect(error?.message).toContain('(308)');
		expect(error?.description).toContain(`to '${location}'. If the service has moved`);
		expect(node.service.requestCount).toBe(1);
		expect(elsewhere.requestCount).toBe(0);
	});
});

describe('an error about the key', () => {
	it('shows no key or markup in the name of the credential', async () => {
		const credentials = { voiceSpeechApi: { id: '1', name: '<b>eak_test_wire</b>' } };
		for (const apiKey of ['eak_test_wire', 'sk-1']) {
			node.service.respond = respondWithJson({}, 401);
			const { error } = await node.run(speechToTextParameters, {
				credential: { apiKey },
				node: { credentials },
			});
			const text = `${error?.message} ${error?.description}`;
			expect(text).toContain("the credential '‹b›eak_test_***‹/b›'");
		}
	});
});

describe("the credential's 'Console URL'", () => {
	const consoleUrl = ' https://console.example.com ';

	it('is in the advice', async () => {
		node.service.respond = respondWithJson({}, 500);
		const { error } = await node.run(speechToTextParameters, { credential: { consoleUrl } });
		expect(error?.description).toContain("the service's console (https://console.example.com)");
	});
});
