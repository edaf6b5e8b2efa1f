import { join, relative } from 'node:path';
import type { Demo } from './setup.mts';

/** @returns what to do to try each example in the demo, by the example's name */
export function instructions(demo: Demo): Record<string, string> {
	const { n8n, service, outside, workflows, files } = demo;
	const form = (name: string) => `open ${n8n.url}/form/${name}`;
	const hook = (name: string) => `${n8n.url}/webhook/${name}`;
	const path = (name: string) => relative(process.cwd(), join(files, name));
	const sample = (name: string) => path(join('samples', name));
	const editor = (name: string) => `open ${n8n.url}/workflow/${workflows[name]?.id}`;
	const file = (name: string) => `${outside.url}/files/${name}`;
	const calls = {
		recordings: [
			{ recordingId: '1', address: file('call.wav') },
			{ recordingId: '2', address: file('missing.wav') },
		],
	};
	return {
		'agent-that-listens': `${editor('agent-that-listens')}, choose Open chat, and ask: What is the sentiment of the call at ${file('call.wav')}?`,
		'agent-that-speaks': `${editor('agent-that-speaks')}, choose Open chat, and write: Read aloud: "Welcome to our museum."`,
		'announcements-with-consent': `${form('voice-consent')} and upload ${sample('voice-sample.wav')}; then ${form('announcement')}`,
		'bucket-upload-to-transcript': `needs an S3-compatible store: ${editor('bucket-upload-to-transcript')}; its notes list what to choose`,
		'cloned-voice-speaks-text': `${form('speak-with-a-cloned-voice')} and upload ${sample('voice-sample.wav')}`,
		'failures-to-retry-list': `curl -H "Content-Type: application/json" -d ${JSON.stringify(JSON.stringify(calls))} ${hook('recordings-to-transcribe')} (the second recording is missing: it goes to Data tables > Retry list)`,
		'folder-to-transcripts': `copy ${sample('call.wav')} into ${path('inbox')}: its transcript is next to it`,
		'form-in-any-language': `${form('transcribe-in-any-language')} and upload ${sample('german.wav')}`,
		'form-upload-to-transcript': `${form('transcribe-a-recording')} and upload ${sample('call.wav')}`,
		'long-text-to-speech': `${form('long-text-to-speech')} and paste a long text; the voice ID is ${service.voiceId}`,
		'many-files-to-transcripts': `${form('transcribe-recordings')} and upload all of ${path('samples')}`,
		'nightly-call-analytics': `${editor('nightly-call-analytics')} and choose Execute workflow: the responses and the report are in ${path('calls')}`,
		'podcast-to-show-notes': `${editor('podcast-to-show-notes')} and choose Execute workflow, twice: the second time, nothing is new or paid`,
		'support-inbox-by-intent': `curl -d from=ada@example.com -d "text=This is awful! Cancel my contract." ${hook('support-message')}`,
		'talk-to-your-workflow': `open ${outside.url}/website/talk, a copy of the page at ${hook('talk')}: n8n keeps its own from the microphone. The emulator understands no speech: it transcribes only its own recordings`,
		'telegram-voice-to-transcript': `needs a Telegram bot and an n8n that Telegram can reach: ${editor('telegram-voice-to-transcript')}; its notes list what to choose`,
		'voicemail-by-email': `needs a mailbox: ${editor('voicemail-by-email')}; its notes list what to choose`,
		'voicemail-to-ticket': `curl -F from=Ada -F recording=@${sample('call.wav')} ${hook('voicemail')}`,
		'voices-by-name': `${form('new-voice')} and upload ${sample('voice-sample.wav')}; then ${form('announcement-by-name')}, twice with the same text`,
		'watched-folder-to-transcript-sentiment-intent': `copy ${sample('call.wav')} into ${path('recordings')}, then see Executions in n8n`,
		'webhook-speak': `curl -H "Content-Type: application/json" -d '{"text": "Good morning!"}' -o speech.wav ${hook('speak')}`,
		'webhook-transcribe': `curl -F data=@${sample('call.wav')} ${hook('transcribe')}`,
	};
}

/** @returns a line for each example that is in n8n */
export function tryLines(demo: Demo): string {
	const lines = instructions(demo);
	return Object.keys(demo.workflows)
		.sort()
		.map((name) => `  ${name}: ${lines[name] ?? 'see its notes in n8n'}\n`)
		.join('');
}
