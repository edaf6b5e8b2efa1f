import type { IBinaryData, IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { maskApiKey } from '../../../credentials/maskApiKey';
import { fileNameFor } from '../audio/fileName';
import { formatOf } from '../audio/format';
import type { Endpoint } from '../endpoint';
import { unusableAnswer } from '../errors/unusable';
import { audioTypeOf, isAnnouncedAsAudio, type FileType } from './audioType';
import type { AnswerBody } from './body';
import { readJson } from './json';
import { decodeText, isText } from '../text/decode';
import { withoutParameters } from '../text/mediaType';

/** An answer that says it is a success; what it brings is still to be seen. */
export interface Answer {
	contentType: string;
	body: AnswerBody;
}

/** What a call brought. */
export interface Result {
	json: IDataObject;
	/** A file that came out, by field name. */
	files?: Record<string, IBinaryData>;
}

/** How a file that comes out is called, and what is told beside it. */
export interface Naming {
	outputFileName: string;
	outputPropertyName: string;
	/** Told beside name, type and size. */
	about: IDataObject;
}

/** Up to here a file is stored from memory, in bytes. */
const shortLength = 64 * 1024;

async function storeFile(
	context: IExecuteSingleFunctions,
	body: AnswerBody,
	found: FileType,
	naming: Naming,
): Promise<Result> {
	const fileName = fileNameFor(naming.outputFileName, found, 'audio');
	// In one piece where that is cheap: n8n takes longer to store a stream.
	const short = await body.readShort(shortLength);
	let bytes = short?.length ?? 0;
	const stream =
		short ??
		body.asStream((count) => {
			bytes += count;
		});
	const file = await context.helpers.prepareBinaryData(
		stream as Parameters<typeof context.helpers.prepareBinaryData>[0],
		fileName,
		found.mimeType,
	);
	return {
		json: { fileName, mimeType: found.mimeType, bytes, ...naming.about },
		files: { [naming.outputPropertyName]: file },
	};
}

/** Whether the first bytes can be the beginning of JSON, so that it is worth reading it all. */
function mayBeJson(head: Uint8Array, contentType: string): boolean {
	return /^\s*([[{"\d-]|true|false|null)/.test(decodeText(head, contentType));
}

async function readObject(
	{ body, contentType }: Answer,
	apiKey: string,
): Promise<{ json: IDataObject | undefined; text: string }> {
	const text = decodeText(await body.read(), contentType, true);
	return { json: readJson(text, apiKey), text };
}

async function expectJson(answer: Answer, apiKey: string): Promise<Result> {
	const { body, contentType } = answer;
	if (!mayBeJson(body.head, contentType)) {
		throw unusableAnswer('JSON', formatOf(body.head)?.name, body.head, contentType);
	}
	const { json } = await readObject(answer, apiKey);
	if (json === undefined) {
		throw unusableAnswer('JSON', 'something incomplete or invalid', body.head, contentType);
	}
	return { json };
}

/** Whatever an undocumented operation answers: JSON, audio, text, nothing, or any other file. */
async function takeWhatComes(
	context: IExecuteSingleFunctions,
	answer: Answer,
	naming: Naming,
	apiKey: string,
): Promise<Result> {
	const { body, contentType } = answer;
	const { head } = body;
	if (head.length === 0) return { json: {} };
	const audio = audioTypeOf(head, contentType);
	if (audio !== undefined) return await storeFile(context, body, audio, naming);
	const isAudioDue = isAnnouncedAsAudio(contentType);
	if (isText(head, contentType) && !(isAudioDue && !mayBeJson(head, contentType))) {
		const { json, text } = await readObject(answer, apiKey);
		if (json !== undefined) return { json };
		if (!isAudioDue) return { json: { data: maskApiKey(text, apiKey) } };
	}
	if (isAudioDue) throw unusableAnswer('audio', formatOf(head)?.name, head, contentType);
	const mimeType = withoutParameters(contentType) || 'application/octet-stream';
	const other: FileType = formatOf(head) ?? { mimeType, extensions: ['bin'] };
	return await storeFile(context, body, other, naming);
}

/**
 * Reads a successful answer as the endpoint promises it (contract, Output).
 *
 * @param apiKey hidden wherever the answer echoes it
 * @throws CallError for an answer of another kind, with its first characters
 */
export async function readAnswer(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	answer: Answer,
	naming: Naming,
	apiKey: string,
): Promise<Result> {
	const { body } = answer;
	// It goes into texts, and for audio into the item.
	const contentType = maskApiKey(answer.contentType, apiKey);
	const masked = { body, contentType };
	if (body.fault !== undefined) return await Promise.reject(body.fault);
	if (endpoint.answer === 'json') return await expectJson(masked, apiKey);
	if (endpoint.answer === 'any') return await takeWhatComes(context, masked, naming, apiKey);
	const audio = audioTypeOf(body.head, contentType);
	if (audio === undefined) {
		throw unusableAnswer('audio', formatOf(body.head)?.name, body.head, contentType);
	}
	return await storeFile(context, body, audio, naming);
}
