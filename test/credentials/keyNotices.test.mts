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
	const wrong = [unknown, unknown] as const;

	it.each<[what: string, typed: string, inSandbox?: string, inLive?: string]>([
		['a sandbox key', 'eak_test_abc', sandbox, sandboxMismatch],
		['a live key', 'eak_live_abc', liveMismatch, live],
		['a prefix alone', 'eak_test_', sandbox, sandboxMismatch],
		['a sandbox key with white space before it', ' \teak_test_abc', whiteSpace, whiteSpace],
		['a sandbox key with white space after it', 'eak_test_abc\r\n', sandbox, sandboxMismatch],
		['the beginning of a prefix', 'eak_t'],
		['a key after a no-break space', '\u00a0eak_test_abc'],
		['the beginning of a prefix and another letter', 'eak_x', ...wrong],
		['the first text that sorts after a prefix', 'eak_test`', ...wrong],
		['a key that starts with a letter beyond ASCII', 'äk_test_abc', ...wrong],
		['a key that starts with the last code points', '~\u{10ffff}', ...wrong],
		['a key of another service', 'sk-abc', ...wrong],
		['nothing', ''],
		['white space', ' \n', whiteSpace, whiteSpace],
		['an expression', '={{ $vars.key }}', '', live],
		['an expression that starts like a key', '=eak_test_{{ $vars.key }}', '', live],
		['the saved key, which n8n masks', '__n8n_BLANK_VALUE_e5362baf', '', live],
	])('says which key it is: %s', (_, typed, inSandbox = '', inLive = '') => {
		const listExpected = (notice: string) => (notice === '' ? [] : [notice]);
		const shown = (environment: string) => listShown({ apiKey: typed, environment });
		expect(shown('sandbox')).toEqual(listExpected(inSandbox));
		expect(shown('live')).toEqual(listExpected(inLive));
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
