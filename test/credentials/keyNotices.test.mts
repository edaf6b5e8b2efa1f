import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials.ts';

const notices = new VoiceSpeechApi().properties.filter(({ type }) => type === 'notice');

/** The notices that n8n shows for these values. */
function listShown(values: INodeParameters): string[] {
	return notices
		.filter((notice) => NodeHelpers.displayParameter(values, notice, null, null))
		.map(({ displayName }) => displayName);
}

const sandbox = 'Sandbox key: its calls debit the sandbox wallet, and are flagged as test data';
const live = 'Live key: its calls spend live credits';
const sandboxMismatch = "Sandbox key: set 'Environment' to Sandbox";
const liveMismatch =
	"Live key: it spends live credits. To test, paste a key that starts with eak_test_. To spend live credits, set 'Environment' to Live.";
const unknown = 'Wrong key: keys of this service start with eak_test_ or eak_live_';
const whiteSpace =
	'Wrong key, or a space or line break in front of it: delete that to see which key it is';

describe('the notice below the key', () => {
	it.each<{ what: string; typed: string; inSandbox?: string; inLive?: string }>([
		{ what: 'a sandbox key', typed: 'eak_test_abc', inSandbox: sandbox, inLive: sandboxMismatch },
		{ what: 'a live key', typed: 'eak_live_abc', inSandbox: liveMismatch, inLive: live },
		{ what: 'a prefix alone', typed: 'eak_test_', inSandbox: sandbox, inLive: sandboxMismatch },
		{
			what: 'a sandbox key with white space before it',
			typed: ' \teak_test_abc',
			inSandbox: whiteSpace,
			inLive: whiteSpace,
		},
		{
			what: 'a sandbox key with white space after it',
			typed: 'eak_test_abc\r\n',
			inSandbox: sandbox,
			inLive: sandboxMismatch,
		},
		{ what: 'the beginning of a prefix', typed: 'eak_t' },
		{ what: 'a key after a no-break space', typed: '\u00a0eak_test_abc' },
		{
			what: 'the beginning of a prefix and another letter',
			typed: 'eak_x',
			inSandbox: unknown,
			inLive: unknown,
		},
		{
			what: 'the first text that sorts after a prefix',
			typed: 'eak_test`',
			inSandbox: unknown,
			inLive: unknown,
		},
		{
			what: 'a key that starts with a letter beyond ASCII',
			typed: 'äk_test_abc',
			inSandbox: unknown,
			inLive: unknown,
		},
		{
			what: 'a key that starts with the last code points',
			typed: '~\u{10ffff}',
			inSandbox: unknown,
			inLive: unknown,
		},
		{ what: 'a key of another service', typed: 'sk-abc', inSandbox: unknown, inLive: unknown },
		{ what: 'nothing', typed: '' },
		{ what: 'white space', typed: ' \n', inSandbox: whiteSpace, inLive: whiteSpace },
		{ what: 'an expression', typed: '={{ $vars.key }}', inLive: live },
		{
			what: 'an expression that starts like a key',
			typed: '=eak_test_{{ $vars.key }}',
			inLive: live,
		},
		{
			what: 'the saved key, which n8n masks',
			typed: '__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609',
			inLive: live,
		},
	])('says which key it is: $what', ({ typed, inSandbox, inLive }) => {
		expect(listShown({ apiKey: typed, environment: 'sandbox' })).toEqual(
			inSandbox ? [inSandbox] : [],
		);
		expect(listShown({ apiKey: typed, environment: 'live' })).toEqual(inLive ? [inLive] : []);
	});

	it('reports no mismatch if the environment is an expression', () => {
		const environment = "={{ 'live' }}";
		expect(listShown({ apiKey: 'eak_test_abc', environment })).toEqual([sandbox]);
		expect(listShown({ apiKey: 'eak_live_abc', environment })).toEqual([live]);
		expect(listShown({ apiKey: '__n8n_BLANK_VALUE_', environment })).toEqual([]);
	});

	it('is shown without a regular expression, which n8n stops on a busy machine', () => {
		expect(JSON.stringify(notices)).not.toContain('"regex"');
	});
});
