import { testAgent } from './examples/agent';
import { testAgentThatSpeaks } from './examples/agentThatSpeaks';
import { testBucket } from './examples/bucket';
import { testConsent } from './examples/consent';
import { testFolderToTranscripts } from './examples/folderToTranscripts';
import { demoExamples } from './examples/forms';
import { testLanguages } from './examples/languages';
import { testLongTextToSpeech } from './examples/longTextToSpeech';
import { testManyFiles } from './examples/manyFiles';
import { testNightly } from './examples/nightly';
import { testPodcast } from './examples/podcast';
import { testRetryList } from './examples/retryList';
import { ExampleRunner } from './examples/exampleRunner';
import { testSftp } from './examples/sftp';
import { testStandIns } from './examples/standIns';
import { testSupport } from './examples/support';
import { testTalk } from './examples/talk';
import { testTelegram } from './examples/telegram';
import { testVoicemail } from './examples/voicemail';
import { testVoicemailByEmail } from './examples/voicemailByEmail';
import { testVoicesByName } from './examples/voicesByName';
import { testWebhookSpeak, testWebhookTranscribe } from './examples/webhook';

/** Starts an n8n with all examples for the tests of a describe. What a test changes is put back after it. */
function useRunner(): () => ExampleRunner {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open();
	});
	beforeEach(async () => await runner.reset());
	afterEach(async () => await runner.restore());
	afterAll(async () => await runner?.close());
	return () => runner;
}

describe('in a real n8n, as the demo sets it up,', () => {
	const runner = useRunner();

	describe('with the stand-ins of the demo', () => testStandIns(runner));
	it.each(Object.entries(demoExamples))(
		'the example %s works',
		async (_example, test) => await test(runner()),
	);
});

/** Every other example, used as a person or another system uses it. The tests of each choose its settings. */
describe('in a real n8n', () => {
	const runner = useRunner();

	const tests = {
		'agent-that-listens': testAgent,
		'agent-that-speaks': testAgentThatSpeaks,
		'announcements-with-consent': testConsent,
		'bucket-upload-to-transcript': testBucket,
		'failures-to-retry-list': testRetryList,
		'folder-to-transcripts': testFolderToTranscripts,
		'form-in-any-language': testLanguages,
		'long-text-to-speech': testLongTextToSpeech,
		'many-files-to-transcripts': testManyFiles,
		'nightly-call-analytics': testNightly,
		'podcast-to-show-notes': testPodcast,
		'support-inbox-by-intent': testSupport,
		'talk-to-your-workflow': testTalk,
		'telegram-voice-to-transcript': testTelegram,
		'voicemail-by-email': testVoicemailByEmail,
		'voicemail-to-ticket': testVoicemail,
		'voices-by-name': testVoicesByName,
		'webhook-speak': testWebhookSpeak,
		'webhook-transcribe': testWebhookTranscribe,
	};

	describe.each(Object.entries(tests))('%s', (_example, register) => {
		// The first runs of the examples are in `beforeAll`, before the hook above.
		beforeAll(async () => await runner().reset());
		register(runner);
	});

	describe('the SFTP steps of docs/how-to.md', () => testSftp(runner));

	it('every example has a test', () => {
		const tested = Object.keys({ ...demoExamples, ...tests }).sort();
		expect(Object.keys(runner().demo.workflows).sort()).toEqual(tested);
	});
});
