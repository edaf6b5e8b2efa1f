import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

import { fillForm } from '../../../dev/n8n/forms.mts';
import { writeWav } from '../../../dev/emulator/audio/wav.mts';
import { speakInTones, toneSamplingRate } from '../../../dev/emulator/speech/tones.mts';
import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { createRange } from '../../support/calls.mts';

/** A recording that says something no other one says. */
type Recording = { name: string; text: string; bytes: Buffer };

/**
 * @param run name of the run, letters and digits
 * @returns made by the emulator's own speech, so that its speech to text knows the text
 */
export function createRecording(run: string, number: number): Recording {
	const text = `Recording ${number} of run ${run}.`;
	const pitch = (number % 10) / 10;
	const bytes = writeWav(speakInTones(text, pitch), toneSamplingRate, text);
	return { name: `${run}-${number}.wav`, text, bytes };
}

/**
 * @param content of a call, or of a file
 * @returns which recording it is about, like `run-17`; empty if about none
 */
export function findRecording(content: string): string {
	const [, number, run] = /Recording (\d+) of run (\w+)\./.exec(content) ?? [];
	return run ? `${run}-${number}` : '';
}

/** Some uploads. */
export interface Uploads {
	/** Name of the run, letters and digits. */
	run: string;
	count: number;
	/** At most one begins in that time. */
	everyMs?: number;
}

/** The result of one upload, as the person at the form sees it. */
export interface Submission {
	/** Like `run-17`. */
	recording: string;
	/** Whether the form confirmed the upload. */
	accepted: boolean;
	/** The form's words, or the reason why there were none. */
	response: string;
}

/** Uploads recordings through the form, as its page's own script does. Returns in the order of their numbers. */
export async function submitRecordings(
	formUrl: string,
	{ run, count, everyMs = 0 }: Uploads,
): Promise<Submission[]> {
	const readForm = async () => {
		const response = await fetch(formUrl).catch(() => undefined);
		return response?.ok ? await response.text() : undefined;
	};
	const page = await waitUntil(readForm, {
		timeoutMs: 60_000,
		intervalMs: 200,
		createMessage: () => `No form at ${formUrl}`,
	});
	const submissions: Submission[] = [];
	const begun = Date.now();
	// Each number is taken once.
	const numbers = createRange(count).values();
	const work = async () => {
		for (const number of numbers) {
			await sleep(Math.max(0, begun + number * everyMs - Date.now()));
			submissions[number] = await submit(formUrl, page, createRecording(run, number));
		}
	};
	// Eight people at once.
	await Promise.all(Array.from({ length: 8 }, work));
	return submissions;
}

/** @param page its HTML */
async function submit(
	formUrl: string,
	page: string,
	{ name, bytes }: Recording,
): Promise<Submission> {
	const recording = name.replace(/\.wav$/, '');
	const body = fillForm(page, { Recording: new File([bytes], name, { type: 'audio/wav' }) });
	try {
		const signal = AbortSignal.timeout(60_000);
		// Each person comes on a connection of their own. One that is used again may be closed by n8n just then.
		const headers = { connection: 'close' };
		const response = await fetch(formUrl, { method: 'POST', headers, body, signal });
		const text = await response.text();
		// n8n's forms report some failures in the body only.
		const accepted = response.ok && (JSON.parse(text) as { status: number }).status === 200;
		return { recording, accepted, response: text };
	} catch (error) {
		// With the cause of a failed connection.
		return { recording, accepted: false, response: inspect(error) };
	}
}
