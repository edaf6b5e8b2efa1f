import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';

const notices = new VoiceSpeechApi().properties.filter(({ type }) => type === 'notice');

/** The notices that n8n shows for these values. */
function shown(values: INodeParameters): string[] {
	return notices
		.filter((notice) => NodeHelpers.displayParameter(values, notice, null, null))
		.map(({ displayName }) => displayName);
}

const sandbox = 'Sandbox key: calls are debited from the sandbox wallet and flagged as test data.';
const live = 'Live key: calls are debited from the live wallet.';
const sandboxMismatch = "This is a sandbox key: set 'Environment' to Sandbox.";
const liveMismatch =
	"This key spends live credits. To test, paste a key that starts with eak_test_. To spend live credits, set 'Environment' to Live.";
const unknown = 'Wrong key: keys of this service start with eak_test_ or eak_live_.';
const whiteSpace =
	'The key starts with a space or line break. Delete that to see whether it is a sandbox or a live key.';

describe('the notice below the key', () => {
	it.each<[what: string, apiKey: string, inSandbox?: string, inLive?: string]>([
		['a sandbox key', 'eak_test_abc', sandbox, sandboxMismatch],
		['a live key', 'eak_live_abc', liveMismatch, live],
		['a prefix alone', 'eak_test_', sandbox, sandboxMismatch],
		['a sandbox key with white space before it', ' \teak_test_abc', whiteSpace, whiteSpace],
		['a sandbox key with white space behind it', 'eak_test_abc\r\n', sandbox, sandboxMismatch],
		['the beginning of a prefix', 'eak_t'],
		['the beginning of both prefixes', 'e'],
		['a prefix without its last character', 'eak_live'],
		['the beginning of a prefix and another letter', 'eak_x', unknown, unknown],
		['the first text that sorts after a prefix', 'eak_test`', unknown, unknown],
		['a key that starts with a letter beyond ASCII', 'äk_test_abc', unknown, unknown],
		['a key that starts with the last code points', '~\u{10ffff}', unknown, unknown],
		['a key of another service', 'sk-abc', unknown, unknown],
		['nothing', ''],
		['white space', ' \n', whiteSpace, whiteSpace],
		['an expression', '={{ $vars.key }}'],
		['an expression that starts like a key', '=eak_test_{{ $vars.key }}'],
		['the saved key, which n8n masks', '__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609'],
	])('for %s says which key it is', (_what, apiKey, ...[inSandbox, inLive]) => {
		expect(shown({ apiKey, environment: 'sandbox' })).toEqual(inSandbox ? [inSandbox] : []);
		expect(shown({ apiKey, environment: 'live' })).toEqual(inLive ? [inLive] : []);
	});

	it('reports no mismatch if the environment is an expression', () => {
		const environment = "={{ 'live' }}";
		expect(shown({ apiKey: 'eak_test_abc', environment })).toEqual([sandbox]);
		expect(shown({ apiKey: 'eak_live_abc', environment })).toEqual([live]);
	});

	it('depends on no regular expression, which n8n stops on a busy machine', () => {
		expect(JSON.stringify(notices)).not.toContain('"regex"');
	});
});
