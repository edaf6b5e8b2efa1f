import { testAgent, testAgentThatSpeaks } from './examples/agents.mts';
import { testBucket } from './examples/bucket.mts';
import { testConsent } from './examples/consent.mts';
import { testDrive } from './examples/drive.mts';
import { testFolderToTranscripts } from './examples/folderToTranscripts.mts';
import { demoExamples } from './examples/forms.mts';
import { testLanguages } from './examples/languages.mts';
import { testLongRecording } from './examples/longRecording.mts';
import { testLongTextToSpeech } from './examples/longTextToSpeech.mts';
import { testManyFiles } from './examples/manyFiles.mts';
import { testPodcast } from './examples/podcast.mts';
import { testQuality } from './examples/quality.mts';
import { testRecordingsCost } from './examples/recordingsCost.mts';
import { testRetryList } from './examples/retryList.mts';
import { openRunner, runner } from './examples/exampleRunner.mts';
import { testSftp } from './examples/sftp.mts';
import { testStandIns } from './examples/standIns.mts';
import { testSupport } from './examples/support.mts';
import { testTalk } from './examples/talk.mts';
import { testTelegram } from './examples/telegram.mts';
import { testTwilio } from './examples/twilio.mts';
import { testVoiceChat } from './examples/voiceChat.mts';
import { testVoicemailByEmail } from './examples/voicemailByEmail.mts';
import { testVoicesByName } from './examples/voicesByName.mts';
import { testWhatsApp } from './examples/whatsApp.mts';
import { testWebhookSpeak, testWebhookTranscribe } from './examples/webhook.mts';

/** Every example, used as a person or another system uses it. What a test changes is put back after it. */
describe('in a real n8n', () => {
	beforeAll(openRunner);
	beforeEach(async () => await runner.reset());
	afterEach(async () => await runner.restore());
	afterAll(async () => await runner?.close());

	it.each(Object.entries(demoExamples))(
		'the example %s works',
		async (_example, test) => await test(runner),
	);
	describe('with the stand-ins of the demo', testStandIns);

	const tests = {
		'agent-that-listens': testAgent,
		'agent-that-speaks': testAgentThatSpeaks,
		'announcements-with-consent': testConsent,
		'bucket-upload-to-transcript': testBucket,
		'calls-to-quality-scores': testQuality,
		'chat-with-recordings': testVoiceChat,
		'drive-recordings-to-sheet': testDrive,
		'failures-to-retry-list': testRetryList,
		'folder-to-transcripts': testFolderToTranscripts,
		'form-in-any-language': testLanguages,
		'long-recording-in-parts': testLongRecording,
		'long-text-to-speech': testLongTextToSpeech,
		'many-files-to-transcripts': testManyFiles,
		'podcast-to-show-notes': testPodcast,
		'recordings-cost-preview': testRecordingsCost,
		'support-inbox-by-intent': testSupport,
		'talk-to-your-workflow': testTalk,
		'telegram-voice-to-transcript': testTelegram,
		'twilio-recording-to-slack': testTwilio,
		'voicemail-by-email': testVoicemailByEmail,
		'voices-by-name': testVoicesByName,
		'webhook-speak': testWebhookSpeak,
		'webhook-transcribe': testWebhookTranscribe,
		'whatsapp-voice-to-reply': testWhatsApp,
	};

	const others = { 'the SFTP steps of docs/how-to.md': testSftp };
	describe.each(Object.entries({ ...tests, ...others }))('%s', (_example, register) => {
		// What the first run in a `beforeAll` changes is put back after the describe.
		beforeAll(async () => await runner.reset());
		afterAll(async () => await runner.restore());
		register();
	});

	it('every example has a test', () => {
		const tested = Object.keys({ ...demoExamples, ...tests }).sort();
		expect(Object.keys(runner.demo.workflows).sort()).toEqual(tested);
	});
});
