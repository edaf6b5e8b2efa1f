import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { maskApiKey } from '../../../credentials/maskApiKey';
import { fileNameFor } from '../audio/fileName';
import { formatOf } from '../audio/format';
import type { Endpoint } from '../endpoint';
import { reasonOf } from '../errors/reason';
import { notStored, unexpectedResponse } from '../errors/responseError';
import { decodeText, isText, withoutParameters } from '../text/decode';
import { audioTypeOf, isAudioDeclared, type FileType } from './audioType';
import { readJson } from './json';
import type { ServiceResponse } from './serviceResponse';

/** What a call returned. */
export interface Result {
	json: IDataObject;
	/** A file of the response, by field name. */
	files?: Record<string, IBinaryData>;
}

/** How a file of the response is named, and the output's further fields about it. */
export interface OutputFile {
	fileName: string;
	fieldName: string;
	about: IDataObject;
}

/** Stores a file in n8n. */
export type StoreFile = (
	body: NodeJS.ReadableStream,
	fileName: string,
	mimeType: string,
) => Promise<IBinaryData>;

/** Reads one success response. */
class ResponseReader {
	private readonly contentType: string;

	constructor(
		private readonly response: ServiceResponse,
		private readonly output: OutputFile,
		private readonly apiKey: string,
		private readonly store: StoreFile,
	) {
		// It is quoted in texts, and is the type of a stored file.
		this.contentType = maskApiKey(response.contentType, apiKey);
	}

	async readJson(): Promise<Result> {
		if (this.response.head.length > 0 && !this.mayBeJson) throw this.unexpected('JSON');
		const { json } = await this.readText();
		if (json === undefined) throw this.unexpected('JSON', 'incomplete or invalid data');
		return { json };
	}

	async readAudio(): Promise<Result> {
		const audio = audioTypeOf(this.response.head, this.contentType);
		if (audio === undefined) throw this.unexpected('audio');
		return await this.storeFile(audio);
	}

	/** A response of an undocumented operation: JSON, audio, text, nothing, or any other file. */
	async readAny(): Promise<Result> {
		const { contentType } = this;
		const { head } = this.response;
		const audio = audioTypeOf(head, contentType);
		if (audio !== undefined && head.length > 0) return await this.storeFile(audio);
		const isAudio = isAudioDeclared(contentType);
		if (isText(head, contentType) && (!isAudio || this.mayBeJson)) {
			const { json, text } = await this.readText();
			if (text === '') return { json: {} };
			if (json !== undefined) return { json };
			if (this.isJsonDeclared && this.mayBeJson) {
				throw this.unexpected('JSON', 'incomplete or invalid data');
			}
			if (!isAudio) return { json: { data: maskApiKey(text, this.apiKey) } };
		}
		if (head.length === 0) return { json: {} };
		if (isAudio) throw this.unexpected('audio');
		const mimeType = withoutParameters(contentType) || 'application/octet-stream';
		return await this.storeFile(formatOf(head) ?? { mimeType, extensions: ['bin'] });
	}

	private unexpected(expected: string, found?: string) {
		const { head } = this.response;
		const what = found ?? formatOf(head)?.name ?? 'something else';
		return unexpectedResponse(expected, what, head, this.contentType);
	}

	private get isJsonDeclared(): boolean {
		return /^application\/([\w.-]+\+)?json$/i.test(withoutParameters(this.contentType));
	}

	/** Whether the first bytes can be the start of JSON, so that reading all of it is worth it. */
	private get mayBeJson(): boolean {
		const start = decodeText(this.response.head, this.contentType);
		return /^\s*([[{"\d-]|true|false|null)/.test(start);
	}

	/** The entire response as text, and as JSON if it is JSON. */
	private async readText(): Promise<{ json: IDataObject | undefined; text: string }> {
		const text = decodeText(await this.response.read(), this.contentType, true);
		return { json: readJson(text, this.apiKey), text };
	}

	private async storeFile(type: FileType): Promise<Result> {
		const { response, output } = this;
		const fileName = fileNameFor(output.fileName, type, 'audio');
		let file: IBinaryData;
		try {
			file = await this.store(response.asStream(), fileName, type.mimeType);
		} catch (error) {
			// Either the response broke off, or n8n's storage failed.
			throw response.fault ?? notStored(reasonOf(error));
		}
		const json = { fileName, mimeType: type.mimeType, bytes: response.received, ...output.about };
		return { json, files: { [output.fieldName]: file } };
	}
}

/**
 * Reads a success response as its endpoint promises it.
 *
 * @param apiKey hidden wherever the response repeats it
 * @throws CallError for a response of another kind, with its first characters, and for a file that n8n cannot store;
 * what the response stream throws if it breaks off
 */
export async function readResponse(
	response: ServiceResponse,
	{ returns }: Endpoint,
	output: OutputFile,
	apiKey: string,
	store: StoreFile,
): Promise<Result> {
	if (response.fault !== undefined) throw response.fault;
	const reader = new ResponseReader(response, output, apiKey, store);
	if (returns === 'json') return await reader.readJson();
	return returns === 'audio' ? await reader.readAudio() : await reader.readAny();
}
