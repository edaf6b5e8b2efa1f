import { readFile } from 'node:fs/promises';

import type { Wallets } from '../emulator/wallets.mts';
import { UserFacingError } from '../lib/errors.mts';
import type { OnStep } from '../lib/progress.mts';
import { waitForExecution } from '../n8n/executions.mts';
import { submitForm, type FormValues } from '../n8n/forms.mts';
import type { Rest } from '../n8n/rest.mts';
import { createVoiceSample } from './samples.mts';
import type { Demo } from './startDemo.mts';

const spokenText =
	'Hello from n8n. This sentence went through a cloned voice, an audio file and back into text.';
const advice =
	"If you edited this example, or revoked the demo's key, that may be why. To start again with new workflows and a new key, delete the demo's folder.";

export interface ExampleResults {
	transcript: string;
	voiceId: string;
	/** Path of the audio. */
	audioFile: string;
	/** Credits that both examples cost together. */
	credits: number;
}

/**
 * Uses two of the examples through their forms. One clones a voice that reads a text aloud. The other one turns that
 * audio into text again.
 *
 * @throws {UserFacingError} if a workflow fails, or the transcript is not the text
 */
export async function showExamples(
	{ n8n, rest, emulator }: Demo,
	onStep: OnStep,
): Promise<ExampleResults> {
	const readCredits = async () =>
		(await emulator.callApi<Wallets>('GET', '/wallets')).sandbox.balance;
	const creditsBefore = await readCredits();

	onStep('Form "Clone a voice and read a text aloud with it": a sample and a text');
	const sample = new File([createVoiceSample()], 'voice-sample.wav', { type: 'audio/wav' });
	const speechForm = `${n8n.url}/form/speak-with-a-cloned-voice`;
	const { items, page } = await submit(rest, speechForm, {
		'Voice Name': 'Demo',
		'Voice Sample': sample,
		Text: spokenText,
		Permission: ['The speaker allows that this voice is cloned'],
	});
	const voiceId = items('Clone Voice')[0]?.json.voice_id;
	const [saved] = items('Save Audio');
	const audioFile = saved?.json.fileName;
	if (typeof voiceId !== 'string' || typeof audioFile !== 'string') {
		const error = saved?.json.error;
		const reason = typeof error === 'string' ? error : page;
		throw new UserFacingError(
			`The workflow behind ${speechForm} saved no audio: ${reason}. ${advice}`,
		);
	}

	onStep('Form "Transcribe a recording": that audio is uploaded');
	const recording = new File([await readFile(audioFile)], 'recording.wav', { type: 'audio/wav' });
	const transcriptForm = `${n8n.url}/form/transcribe-a-recording`;
	const transcribed = await submit(rest, transcriptForm, { Recording: recording });
	const transcript = transcribed.items('Transcribe Recording')[0]?.json.text;
	if (transcript !== spokenText) {
		throw new UserFacingError(
			`The workflow behind ${transcriptForm} gave another transcript. ${transcribed.page}. ${advice}`,
		);
	}
	const credits = creditsBefore - (await readCredits());
	return { voiceId, audioFile, transcript, credits };
}

/**
 * @param url of the form
 * @returns the output items of a node, and the text of the form's last page in a sentence
 */
async function submit(rest: Rest, url: string, values: FormValues) {
	const { executionId, title, message } = await submitForm(url, values).catch((error: unknown) => {
		if (!(error instanceof UserFacingError)) throw error;
		throw new UserFacingError(`The form ${url} failed: ${error.message}. ${advice}`);
	});
	const { status, error, items } = await waitForExecution(rest, executionId);
	if (status !== 'success') {
		throw new UserFacingError(`The workflow behind ${url} failed: ${error ?? status}. ${advice}`);
	}
	return { items, page: `The form's last page: "${title}. ${message.replace(/\s+/g, ' ')}"` };
}
