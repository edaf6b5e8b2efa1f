import { agent } from './examples/agent';
import { agentThatSpeaks } from './examples/agentThatSpeaks';
import { bucket } from './examples/bucket';
import { consent } from './examples/consent';
import { folderToTranscripts } from './examples/folderToTranscripts';
import { demoExamples } from './examples/forms';
import { languages } from './examples/languages';
import { longTextToSpeech } from './examples/longTextToSpeech';
import { manyFiles } from './examples/manyFiles';
import { nightly } from './examples/nightly';
import { podcast } from './examples/podcast';
import { retryList } from './examples/retryList';
import { Stage } from './examples/stage';
import { standIns } from './examples/standIns';
import { support } from './examples/support';
import { talk } from './examples/talk';
import { telegram } from './examples/telegram';
import { voicemail } from './examples/voicemail';
import { voicemailByEmail } from './examples/voicemailByEmail';
import { voicesByName } from './examples/voicesByName';
import { webhookSpeak, webhookTranscribe } from './examples/webhook';

/** Runs every example in a real n8n, used as a person or another system uses it. */
describe('the examples in a real n8n', () => {
	let stage: Stage;

	beforeAll(async () => (stage = await Stage.open()), 900_000);
	beforeEach(async () => await stage.reset());
	afterAll(async () => await stage?.close());

	const tests = {
		'agent-that-listens': agent,
		'agent-that-speaks': agentThatSpeaks,
		'announcements-with-consent': consent,
		'bucket-upload-to-transcript': bucket,
		'failures-to-retry-list': retryList,
		'folder-to-transcripts': folderToTranscripts,
		'form-in-any-language': languages,
		'long-text-to-speech': longTextToSpeech,
		'many-files-to-transcripts': manyFiles,
		'nightly-call-analytics': nightly,
		'podcast-to-show-notes': podcast,
		'support-inbox-by-intent': support,
		'talk-to-your-workflow': talk,
		'telegram-voice-to-transcript': telegram,
		'voicemail-by-email': voicemailByEmail,
		'voicemail-to-ticket': voicemail,
		'voices-by-name': voicesByName,
		'webhook-speak': webhookSpeak,
		'webhook-transcribe': webhookTranscribe,
	};

	// First: the others choose settings of their own.
	describe('as the demo sets them up', () => standIns(() => stage));
	it.each(Object.entries(demoExamples))(
		'the example %s works as the demo sets it up',
		async (_example, test) => await test(stage),
	);
	describe.each(Object.entries(tests))('%s', (_example, register) => register(() => stage));

	it('every example has a test', () => {
		const tested = Object.keys({ ...demoExamples, ...tests }).sort();
		expect(Object.keys(stage.demo.workflows).sort()).toEqual(tested);
	});
});
