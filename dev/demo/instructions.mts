import path from 'node:path';

import type { Demo } from './startDemo.mts';

/** @returns what to do to try each example in the demo, by the example's name */
export function listInstructions(demo: Demo): Record<string, string> {
	const { n8n, emulator, mockSystems, workflows, files } = demo;
	const openForm = (name: string) => `open ${n8n.url}/form/${name}`;
	const getHookUrl = (name: string) => `${n8n.url}/webhook/${name}`;
	const getPath = (name: string) => path.relative(process.cwd(), path.join(files, name));
	const getSamplePath = (name: string) => getPath(path.join('samples', name));
	const openEditor = (name: string) => `open ${n8n.url}/workflow/${workflows[name]?.id}`;
	const getFileUrl = (name: string) => `${mockSystems.url}/files/${name}`;
	const calls = {
		recordings: [
			{ recordingId: '1', address: getFileUrl('call.wav') },
			{ recordingId: '2', address: getFileUrl('missing.wav') },
		],
	};
	return {
		'agent-that-listens': `${openEditor('agent-that-listens')}, choose Open chat, and ask: What is said in the call at ${getFileUrl('call.wav')}?`,
		'agent-that-speaks': `${openEditor('agent-that-speaks')}, choose Open chat, and write: Read aloud: "Welcome to our museum."`,
		'announcements-with-consent': `${openForm('voice-consent')} and upload ${getSamplePath('voice-sample.wav')}; then ${openForm('announcement')}`,
		'bucket-upload-to-transcript': `needs an S3-compatible store: ${openEditor('bucket-upload-to-transcript')}; its notes list what to choose`,
		'calls-to-quality-scores': `${openForm('score-calls')} and upload ${getSamplePath('call.wav')}: the mock model is unclear about everything`,
		'chat-with-recordings': `${openEditor('chat-with-recordings')}, choose Open chat, and write something; to send a recording, add ${getSamplePath('call.wav')} too`,
		'cloned-voice-speaks-text': `${openForm('speak-with-a-cloned-voice')} and upload ${getSamplePath('voice-sample.wav')}`,
		'drive-recordings-to-sheet': `needs a Google account: ${openEditor('drive-recordings-to-sheet')}; its notes list what to choose`,
		'failures-to-retry-list': `the second recording is missing, and goes to Data tables > Retry list: curl -H "Content-Type: application/json" -d ${JSON.stringify(JSON.stringify(calls))} ${getHookUrl('recordings-to-transcribe')}`,
		'folder-to-transcripts': `copy ${getSamplePath('call.wav')} into ${getPath('inbox')}: its transcript is next to it`,
		'form-in-any-language': `${openForm('transcribe-in-any-language')} and upload ${getSamplePath('german.wav')}`,
		'form-upload-to-transcript': `${openForm('transcribe-a-recording')} and upload ${getSamplePath('call.wav')}`,
		'long-text-to-speech': `${openForm('long-text-to-speech')} and paste a long text; the voice ID is ${emulator.voiceId}`,
		'long-recording-in-parts': `${openForm('transcribe-a-long-recording')} and upload ${getSamplePath('call.wav')}, or a recording of more than 10 minutes. The emulator makes up the text of its parts`,
		'many-files-to-transcripts': `${openForm('transcribe-recordings')} and upload all of ${getPath('samples')}`,
		'podcast-to-show-notes': `${openEditor('podcast-to-show-notes')} and choose Execute workflow, twice: the second time, nothing is new or paid`,
		'recordings-cost-preview': `${openEditor('recordings-cost-preview')}, choose Execute workflow, and open Table: nothing is sent or paid`,
		'support-inbox-by-intent': `curl -d from=ada@example.com -d "text=This is awful! Cancel my contract." ${getHookUrl('support-message')}`,
		'talk-to-your-workflow': `open ${mockSystems.url}/website/talk, a copy of the page at ${getHookUrl('talk')}: n8n keeps its own from the microphone. The emulator understands no speech: it transcribes only its own recordings`,
		'telegram-voice-to-transcript': `needs a Telegram bot and an n8n that Telegram can reach: ${openEditor('telegram-voice-to-transcript')}; its notes list what to choose`,
		'twilio-recording-to-slack': `needs Twilio, Slack and an n8n that Twilio can reach: ${openEditor('twilio-recording-to-slack')}; its notes list what to choose`,
		'voicemail-by-email': `needs a mailbox: ${openEditor('voicemail-by-email')}; its notes list what to choose`,
		'voices-by-name': `${openForm('new-voice')} and upload ${getSamplePath('voice-sample.wav')}; then ${openForm('announcement-by-name')}, twice with the same text`,
		'webhook-speak': `curl -H "Content-Type: application/json" -d '{"text": "Good morning!"}' -o speech.wav ${getHookUrl('speak')}`,
		'webhook-transcribe': `curl -F "data=@${getSamplePath('call.wav')}" ${getHookUrl('transcribe')}`,
		'whatsapp-voice-to-reply': `needs an app at Meta and an n8n that Meta can reach: ${openEditor('whatsapp-voice-to-reply')}; its notes list what to choose`,
	};
}

/** @returns a line for each example that is in n8n */
export function describeInstructions(demo: Demo): string {
	const lines = listInstructions(demo);
	return Object.keys(demo.workflows)
		.sort()
		.map((name) => `  ${name}: ${lines[name] ?? 'see its notes in n8n'}\n`)
		.join('');
}
