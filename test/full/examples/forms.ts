/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Ending, Execution } from '../tools';
import type { EmulatedService } from './service';
import { expectPaired, expectSuccess } from './stage';

/** Submits the form of the cloned voice; resolves with its last page and the execution behind it. */
async function speak(
	stage: EmulatedService,
	text: string,
	sample = stage.sample(),
): Promise<{ ending: Ending; execution: Execution }> {
	const { tools, demo } = stage;
	const ending = await tools.submitForm(`${demo.n8n.url}/form/speak-with-a-cloned-voice`, {
		'Voice Name': 'Ada',
		'Voice Sample': sample,
		Text: text,
		Permission: ['The speaker allows that this voice is cloned'],
	});
	return { ending, execution: await tools.finishedExecution(demo.rest, ending.executionId) };
}

const notAudio = () => new File(['no audio at all'], 'broken.wav', { type: 'audio/wav' });

/** The visitor reads the node's message, and what to do. */
function expectRefusal({ title, message }: Ending, expected: string) {
	expect(title).toBe(expected);
	expect(message).toMatch(
		/^The file 'broken\.wav' is .+, not WAV, MP3, M4A or FLAC\n\nWhat to do: /,
	);
	expect(message).toContain('For that person: This is not an audio file');
}

/** The three examples that `npm run demo` shows, used as a person uses them: through a form, or a folder. */
export const demoExamples = {
	async 'cloned-voice-speaks-text'(stage: EmulatedService) {
		const { tools, demo } = stage;
		const text = 'Grüße aus n8n, "quoted" & <plain>.';
		const { result, calls } = await stage.paidFor(async () => await speak(stage, text));
		const { ending, execution } = result;

		expectSuccess(execution);
		const voiceId = execution.items('Clone Voice')[0]?.json.voice_id as string;
		expect(voiceId).toMatch(/^vc_\w+/);
		const [spoken] = execution.items('Speak Text');
		expect(spoken?.json).toMatchObject({
			voiceId,
			mimeType: 'audio/wav',
			characters: [...text].length,
		});
		expect(Object.keys(spoken?.binary ?? {}).sort()).toEqual(['data']);
		expectPaired(execution, ['Clone Voice', 'Speak Text', 'Save Audio']);

		const audio = await tools.fileBytes(demo.rest, spoken?.binary?.data);
		expect(audio.toString('latin1', 0, 4)).toBe('RIFF');
		expect(audio.toString('latin1', 8, 12)).toBe('WAVE');
		expect(audio).toHaveLength(spoken?.json.bytes as number);

		const saved = execution.items('Save Audio')[0]?.json.fileName as string;
		expect(path.dirname(saved)).toBe(demo.files);
		expect((await readFile(saved)).equals(audio)).toBe(true);
		expect(ending.title).toBe('The voice has spoken');
		expect(ending.downloads).toHaveLength(1);
		const [{ fileName, bytes }] = ending.downloads as [Ending['downloads'][0]];
		expect(bytes.equals(audio)).toBe(true);
		expect(ending.message).toBe(
			`The audio is in your browser's downloads folder: ${fileName}\n\nThe voice has the ID ${voiceId}.`,
		);
		expect(calls).toMatchObject([
			{ operation: 'voice-clone', voiceId },
			{ operation: 'text-to-speech', voiceId },
		]);

		const refused = await stage.paidFor(async () => await speak(stage, text, notAudio()));
		expectRefusal(refused.result.ending, 'No audio');
		expect(refused.paid).toEqual([]);
	},

	async 'form-upload-to-transcript'(stage: EmulatedService) {
		const { tools, demo } = stage;
		const text = 'This was spoken, uploaded & read: äöü "quoted".';
		const [spoken] = (await speak(stage, text)).ending.downloads;
		const recording = new File([spoken!.bytes], 'my recording.wav', { type: 'audio/wav' });
		const form = `${demo.n8n.url}/form/transcribe-a-recording`;
		const { result, paid } = await stage.paidFor(
			async () => await tools.submitForm(form, { Recording: recording }),
		);
		expect(result).toMatchObject({ title: 'Transcript', message: text });

		const execution = await tools.finishedExecution(demo.rest, result.executionId);
		expect(execution.status).toBe('success');
		const [transcribed] = execution.items('Transcribe Recording');
		expect(transcribed?.json.text).toBe(text);
		expectPaired(execution, ['Transcribe Recording']);
		expect(transcribed?.binary).toBeUndefined();
		expect(paid).toEqual(['speech-to-text']);

		const refused = await stage.paidFor(
			async () => await tools.submitForm(form, { Recording: notAudio() }),
		);
		expectRefusal(refused.result, 'No transcript');
		expect(refused.paid).toEqual([]);
	},

	async 'watched-folder-to-transcript-sentiment-intent'(stage: EmulatedService) {
		const { tools, demo } = stage;
		const text = 'Thank you, I love it! Please cancel my subscription.';
		const [spoken] = (await speak(stage, text)).ending.downloads;
		const name = 'call (1) of today.wav';
		const { result, paid } = await stage.paidFor(async () => {
			await writeFile(path.join(demo.recordings, name), spoken!.bytes);
			return await tools.triggeredExecution(
				demo.rest,
				demo.workflows['watched-folder-to-transcript-sentiment-intent']!.id,
				() => true,
			);
		});
		expectSuccess(result);
		const [transcribed] = result.items('Transcribe Recording');
		expect(transcribed?.json).toMatchObject({ text, fileName: name });
		const collected = result.items('Collect Results');
		expect(collected).toHaveLength(1);
		expect(collected[0]?.json).toEqual({
			fileName: name,
			transcript: text,
			sentiment: result.items('Analyze Sentiment')[0]?.json,
			intent: result.items('Recognize Intent')[0]?.json,
		});
		const nodes = ['Transcribe Recording', 'Analyze Sentiment', 'Recognize Intent'];
		expectPaired(result, [...nodes, 'Collect Results']);
		for (const node of [...nodes, 'Collect Results']) {
			const kept = await tools.fileBytes(demo.rest, result.items(node)[0]?.binary?.data);
			expect(kept.equals(spoken!.bytes)).toBe(true);
		}
		expect(paid).toEqual(['speech-to-text', 'sentiment', 'intent']);
	},
};
