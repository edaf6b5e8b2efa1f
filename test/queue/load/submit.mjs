import { setTimeout as sleep } from 'node:timers/promises';
import { fillForm } from '../../../dev/n8n/forms.mjs';
import { until } from '../../../dev/n8n/until.mjs';
import { makeRecording } from './recordings.mjs';

/**
 * What became of one upload, as the person at the form sees it.
 * @typedef {object} Submission
 * @property {string} recording like `run-17`
 * @property {boolean} accepted whether the form said that it had it
 * @property {string} answer the form's words, or the reason why there were none
 */

/**
 * Uploads recordings through the form, as its page's own script does.
 * @param {string} formUrl
 * @param {object} how
 * @param {string} how.run name of the run, letters and digits
 * @param {number} how.count
 * @param {number} [how.everyMs] at most one begins in that time
 * @returns {Promise<Submission[]>} in the order of their numbers
 */
export async function submitRecordings(formUrl, { run, count, everyMs = 0 }) {
	const look = async () => {
		const response = await fetch(formUrl).catch(() => undefined);
		return response?.ok ? await response.text() : undefined;
	};
	const page = await until(look, 60_000, () => `No form at ${formUrl}`);
	/** @type {Submission[]} */
	const submissions = [];
	const begun = Date.now();
	let next = 0;
	const work = async () => {
		while (next < count) {
			const number = next++;
			await sleep(Math.max(0, begun + number * everyMs - Date.now()));
			submissions[number] = await submit(formUrl, page, makeRecording(run, number));
		}
	};
	// Eight people at once.
	await Promise.all(Array.from({ length: 8 }, work));
	return submissions;
}

/**
 * @param {string} formUrl
 * @param {string} page its HTML
 * @param {import('./recordings.mjs').Recording} recording
 * @returns {Promise<Submission>}
 */
async function submit(formUrl, page, { name, bytes }) {
	const recording = name.replace(/\.wav$/, '');
	const body = fillForm(page, { Recording: new File([bytes], name, { type: 'audio/wav' }) });
	try {
		const signal = AbortSignal.timeout(60_000);
		// Each person comes on a connection of their own. One that is used again may be closed by n8n just then.
		const headers = { connection: 'close' };
		const response = await fetch(formUrl, { method: 'POST', headers, body, signal });
		const answer = await response.text();
		// n8n's forms report some failures in the body only.
		const accepted = response.ok && JSON.parse(answer).status === 200;
		return { recording, accepted, answer };
	} catch (error) {
		const { cause } = /** @type {Error} */ (error);
		return { recording, accepted: false, answer: `${error}${cause ? `: ${cause}` : ''}` };
	}
}
