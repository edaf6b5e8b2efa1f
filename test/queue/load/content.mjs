import { createHash } from 'node:crypto';
import { fileBytes, finishedExecution } from '../../../hosts/executions.mjs';
import { makeRecording, recordingIn } from './recordings.mjs';

/** @typedef {import('../../../hosts/rest.mjs').Rest} Rest */

/**
 * Whose each thing in a finished execution is; all three are the same where nothing was mixed up.
 * @typedef {object} Content
 * @property {string} id of the execution
 * @property {string} uploaded the recording that the form took, by its name
 * @property {string} arrived the recording that the service was sent, by its bytes; empty if not that one
 * @property {string} transcribed the recording whose text the transcript is
 * @property {string} spoken the recording whose text was spoken, by the audio in n8n's storage
 */

/**
 * Reads finished executions as their owner does, from n8n itself.
 * @param {Rest} rest
 * @param {string[]} ids
 * @returns {Promise<Content[]>}
 */
export async function readContents(rest, ids) {
	/** @type {Content[]} */
	const contents = [];
	let next = 0;
	const work = async () => {
		while (next < ids.length) {
			const position = next++;
			contents[position] = await readContent(rest, ids[position] ?? '');
		}
	};
	await Promise.all(Array.from({ length: 4 }, work));
	return contents;
}

/**
 * @param {Rest} rest
 * @param {string} id
 * @returns {Promise<Content>}
 */
async function readContent(rest, id) {
	const execution = await finishedExecution(rest, id);
	const [form] = execution.items('Form');
	const [transcript] = execution.items('Transcribe');
	const [speech] = execution.items('Speak');
	const uploaded = String(form?.binary?.Recording?.fileName).replace(/\.wav$/, '');
	const [run = '', number] = uploaded.split('-');
	const sent = createHash('sha256')
		.update(makeRecording(run, Number(number)).bytes)
		.digest('hex');
	const audio = await fileBytes(rest, speech?.binary?.data);
	return {
		id,
		uploaded,
		arrived: transcript?.json.recording?.sha256 === sent ? uploaded : '',
		transcribed: recordingIn(transcript?.json.text ?? ''),
		spoken: recordingIn(audio.toString('latin1')),
	};
}

/** @param {Content} content */
export function isMixedUp({ uploaded, arrived, transcribed, spoken }) {
	return [arrived, transcribed, spoken].some((recording) => recording !== uploaded);
}
