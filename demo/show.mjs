import { readFile } from 'node:fs/promises';
import { finishedExecution } from '../hosts/executions.mjs';
import { submitForm } from '../hosts/forms.mjs';
import { Problem } from '../hosts/problem.mjs';
import { voiceSample } from './sample.mjs';

export const spokenText =
	'Hello from n8n. This sentence went through a cloned voice, an audio file and back into text.';

/**
 * @typedef {object} Shown
 * @property {string} voiceId the voice that was cloned
 * @property {string} audioFile path of the audio that was made from the text
 * @property {string} transcript what was recognised in that audio
 * @property {number} credits what both workflows cost together
 */

/**
 * Uses two of the examples as a person would, through their forms: a voice is cloned from a sample and
 * speaks a text; the audio of it is uploaded and becomes text again.
 * @param {import('./setup.mjs').Demo} demo
 * @param {(step: string) => void} [onStep]
 * @returns {Promise<Shown>}
 * @throws {Problem} when a workflow fails, or the transcript is not the text
 */
export async function showExamples({ n8n, rest, service }, onStep = () => {}) {
	const before = await service.credits();

	onStep('Form "Speak a text with a cloned voice": a sample and a text');
	const sample = new File([voiceSample()], 'voice-sample.wav', { type: 'audio/wav' });
	const spoken = await submitted(rest, `${n8n.url}/form/speak-with-a-cloned-voice`, {
		'Voice Name': 'Demo',
		'Voice Sample': sample,
		Text: spokenText,
		Permission: ['The speaker allows that this voice is cloned'],
	});
	const voiceId = spoken.items('Clone Voice')[0]?.json.voice_id;
	const [saved] = spoken.items('Save Audio');
	if (!saved?.json.fileName) throw new Problem(`n8n did not save the audio: ${saved?.json.error}`);
	const audioFile = saved.json.fileName;

	onStep('Form "Transcribe a recording": that audio is uploaded');
	const recording = new File([await readFile(audioFile)], 'recording.wav', { type: 'audio/wav' });
	const transcribed = await submitted(rest, `${n8n.url}/form/transcribe-a-recording`, {
		Recording: recording,
	});
	const transcript = transcribed.items('Transcribe Recording')[0]?.json.text;
	if (transcript !== spokenText) {
		throw new Problem(`The transcript is not the text that was spoken, but: ${transcript}`);
	}
	return { voiceId, audioFile, transcript, credits: before - (await service.credits()) };
}

/**
 * Submits a form and reads the execution behind it.
 * @param {import('../hosts/rest.mjs').Rest} rest
 * @param {string} url
 * @param {Parameters<typeof submitForm>[1]} values
 * @returns {Promise<import('../hosts/executions.mjs').Execution>}
 */
async function submitted(rest, url, values) {
	const { executionId } = await submitForm(url, values).catch((error) => {
		throw new Problem(
			`The form ${url} did not work: ${error.message}. "npm run demo -- --fresh" begins with untouched workflows.`,
		);
	});
	const execution = await finishedExecution(rest, executionId);
	if (execution.status !== 'success') {
		throw new Problem(`The workflow behind ${url} failed: ${execution.error ?? execution.status}`);
	}
	return execution;
}
