import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Execution } from '../../../dev/n8n/executions.mts';
import {
	expectExecutionNumberWithoutReason,
	expectRefusal,
	type FormExamples,
} from './formExamples.mts';

/** Submits the form of the cloned voice. */
const speak = async (runner: FormExamples, text: string, sample = runner.createSample()) =>
	await runner.submit('speak-with-a-cloned-voice', {
		'Voice Name': 'Ada',
		'Voice Sample': sample,
		Text: text,
		Permission: ['The speaker allows that this voice is cloned'],
	});

/** Every item of these nodes belongs to the item that it came from. */
function expectPaired(execution: Execution, ...nodes: string[]) {
	for (const node of nodes) {
		expect(execution.items(node)).toMatchObject([{ pairedItem: { item: 0 } }]);
	}
}

/** The examples that `npm run demo` shows, used as a person uses them: through a form. */
export const demoExamples = {
	async 'cloned-voice-speaks-text'(runner: FormExamples) {
		const text = 'Grüße aus n8n, "quoted" & <plain>.';
		const { execution, downloads, ...page } = await speak(runner, text);
		expect(downloads).toHaveLength(1);
		const { fileName, bytes } = downloads[0]!;
		const voiceId = page.calls[0]!.voiceId!;
		expect(page).toMatchObject({
			title: 'The voice has spoken',
			message: `The audio is in your browser's downloads folder: ${fileName}\n\nThe voice has the ID ${voiceId}.`,
			calls: [
				{ operation: 'voice-clone', voiceId },
				{ operation: 'text-to-speech', voiceId },
			],
		});
		expectPaired(execution, 'Clone Voice', 'Speak Text', 'Save Audio');
		expect(bytes.toString('utf8')).toContain(JSON.stringify(text).slice(1, -1));
		const saved = execution.items('Save Audio')[0]?.json.fileName as string;
		expect(path.dirname(saved)).toBe(runner.demo.files);
		expect((await readFile(saved)).equals(bytes)).toBe(true);

		expectRefusal(await speak(runner, text, runner.createNoAudio()), 'No audio');
		await runner.changeSettings({ creditCosts: { 'voice-clone': 1_000_000 } });
		expectExecutionNumberWithoutReason(await speak(runner, text), 'No audio');
		await runner.resetSettings();
		await runner.changeSettings({ creditCosts: { 'text-to-speech': 1_000_000 } });
		const unread = await speak(runner, text);
		expectExecutionNumberWithoutReason(unread, 'No audio');
		const kept = unread.calls[0]?.voiceId;
		expect(unread.message).toContain(`The ID of the voice is ${kept}: keep it.`);
		await runner.resetSettings();
	},

	async 'form-upload-to-transcript'(runner: FormExamples) {
		const text = 'This was spoken, uploaded & read: äöü "quoted".';
		const upload = async (recording: File) =>
			await runner.submit('transcribe-a-recording', { Recording: recording });
		const page = await upload(await runner.createRecording(text, 'my recording.wav'));
		expect(page).toMatchObject({ title: 'Transcript', message: text, paid: ['speech-to-text'] });
		expectPaired(page.execution, 'Transcribe Recording');

		expectRefusal(await upload(runner.createNoAudio()), 'No transcript');
		const unpaid = await runner.createRecording(text);
		await runner.changeSettings({ creditCosts: { 'speech-to-text': 1_000_000 } });
		expectExecutionNumberWithoutReason(await upload(unpaid), 'No transcript');
		await runner.resetSettings();
	},
};
