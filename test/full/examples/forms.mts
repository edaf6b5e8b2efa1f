import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Execution } from '../../../dev/n8n/executions.mts';
import { downloadFile } from '../../support/executions.mts';
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
function expectPaired(execution: Execution, nodes: string[]) {
	for (const node of nodes) {
		expect(execution.items(node).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	}
}

/** The examples that `npm run demo` shows, used as a person uses them: through a form. */
export const demoExamples = {
	async 'cloned-voice-speaks-text'(runner: FormExamples) {
		const { demo } = runner;
		const text = 'Grüße aus n8n, "quoted" & <plain>.';
		const { execution, title, message, downloads, calls } = await speak(runner, text);
		const voiceId = execution.items('Clone Voice')[0]?.json.voice_id as string;
		expect(voiceId).toMatch(/^vc_\w+/);
		const [spoken] = execution.items('Speak Text');
		const characters = [...text].length;
		expect(spoken?.json).toMatchObject({ voiceId, mimeType: 'audio/wav', characters });
		expect(Object.keys(spoken?.binary ?? {})).toEqual(['data']);
		expectPaired(execution, ['Clone Voice', 'Speak Text', 'Save Audio']);

		const audio = await downloadFile(demo.rest, spoken?.binary?.data);
		expect(audio.toString('latin1', 0, 12)).toMatch(/^RIFF[^]{4}WAVE$/);
		expect(audio).toHaveLength(spoken?.json.bytes as number);

		const saved = execution.items('Save Audio')[0]?.json.fileName as string;
		expect(path.dirname(saved)).toBe(demo.files);
		expect((await readFile(saved)).equals(audio)).toBe(true);
		expect(title).toBe('The voice has spoken');
		expect(downloads).toHaveLength(1);
		const { fileName, bytes } = downloads[0]!;
		expect(bytes.equals(audio)).toBe(true);
		expect(message).toBe(
			`The audio is in your browser's downloads folder: ${fileName}\n\nThe voice has the ID ${voiceId}.`,
		);
		expect(calls).toMatchObject([
			{ operation: 'voice-clone', voiceId },
			{ operation: 'text-to-speech', voiceId },
		]);

		expectRefusal(await speak(runner, text, runner.createNoAudio()), 'No audio');
		await runner.changeSettings({ creditCosts: { 'voice-clone': 1_000_000 } });
		expectExecutionNumberWithoutReason(await speak(runner, text), 'No audio');
		await runner.resetSettings();
		await runner.changeSettings({ creditCosts: { 'text-to-speech': 1_000_000 } });
		const unread = await speak(runner, text);
		expectExecutionNumberWithoutReason(unread, 'No audio');
		expect(unread.message).toContain(
			`The ID of the voice is ${unread.calls[0]?.voiceId}: keep it.`,
		);
		await runner.resetSettings();
	},

	async 'form-upload-to-transcript'(runner: FormExamples) {
		const text = 'This was spoken, uploaded & read: äöü "quoted".';
		const upload = async (recording: File) =>
			await runner.submit('transcribe-a-recording', { Recording: recording });
		const page = await upload(await runner.createRecording(text, 'my recording.wav'));
		expect(page).toMatchObject({ title: 'Transcript', message: text, paid: ['speech-to-text'] });
		const [transcribed] = page.execution.items('Transcribe Recording');
		expect(transcribed?.json.text).toBe(text);
		expectPaired(page.execution, ['Transcribe Recording']);
		expect(transcribed?.binary).toBeUndefined();

		expectRefusal(await upload(runner.createNoAudio()), 'No transcript');
		const unpaid = await runner.createRecording(text);
		await runner.changeSettings({ creditCosts: { 'speech-to-text': 1_000_000 } });
		expectExecutionNumberWithoutReason(await upload(unpaid), 'No transcript');
		await runner.resetSettings();
	},
};
