// First, because others change the settings that the demo chose.
import './examples/standIns.mts';
import './examples/agents.mts';
import './examples/bucket.mts';
import './examples/consent.mts';
import './examples/drive.mts';
import './examples/folderToTranscripts.mts';
import './examples/languages.mts';
import './examples/longRecording.mts';
import './examples/longTextToSpeech.mts';
import './examples/manyFiles.mts';
import './examples/podcast.mts';
import './examples/quality.mts';
import './examples/recordingsCost.mts';
import './examples/retryList.mts';
import './examples/sftp.mts';
import './examples/support.mts';
import './examples/talk.mts';
import './examples/telegram.mts';
import './examples/twilio.mts';
import './examples/voiceChat.mts';
import './examples/voicemailByEmail.mts';
import './examples/voicesByName.mts';
import './examples/webhook.mts';
import './examples/whatsApp.mts';
import { describedExamples, openRunner, runner } from './examples/exampleRunner.mts';
import { demoExamples } from './examples/forms.mts';

// Every example in a real n8n, used as a person or another system uses it. What a test changes is put back after it.

beforeAll(openRunner);
beforeEach(async () => await runner.reset());
afterEach(async () => await runner.restore());
afterAll(async () => await runner?.close());

it.each(Object.entries(demoExamples))(
	'the example %s works',
	async (_example, test) => await test(runner),
);

it('every example has a test', () => {
	const tested = [...Object.keys(demoExamples), ...describedExamples].sort();
	expect(Object.keys(runner.demo.workflows).sort()).toEqual(tested);
});
