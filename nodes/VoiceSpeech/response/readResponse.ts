import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { maskApiKey } from '../../../credentials/maskApiKey';
import { fileNameFor } from '../audio/fileName';
import { formatOf } from '../audio/format';
import type { Endpoint } from '../endpoint';
import { reasonOf } from '../errors/reason';
import { notStored } from '../errors/storageError';
import { unexpectedResponse } from '../errors/unexpectedResponse';
import { maxBufferedFileBytes } from '../limits';
import { decodeText, isText } from '../text/decode';
import { withoutParameters } from '../text/mediaType';
import { audioTypeOf, isAnnouncedAsAudio, type FileType } from './audioType';
import { readJson } from './json';
import type { ServiceResponse } from './serviceResponse';

/** What a call returned. */
export interface Result {
	json: IDataObject;
	/** A file of the response, by field name. */
	files?: Record<string, IBinaryData>;
}

/** How a file of the response is named, and what the output says about it besides name, type and size. */
export interface OutputFile {
	fileName: string;
	fieldName: string;
	about: IDataObject;
}

/** Stores a file in n8n. */
export type StoreFile = (
	body: Buffer | NodeJS.ReadableStream,
	fileName: string,
	mimeType: string,
) => Promise<IBinaryData>;

/** Reads success responses of one call. */
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
		const { head } = this.response.body;
		if (head.length > 0 && !this.mayBeJson()) throw this.unexpected('JSON');
		const { json } = await this.readObject();
		if (json === undefined) {
			throw this.unexpected(
				'JSON',
				head.length > 0 ? 'something incomplete or invalid' : undefined,
			);
		}
		return { json };
	}

	async readAudio(): Promise<Result> {
		const audio = audioTypeOf(this.response.body.head, this.contentType);
		if (audio === undefined) throw this.unexpected('audio');
		return await this.storeFile(audio);
	}

	/** A response of an undocumented operation: JSON, audio, text, nothing, or any other file. */
	async readAny(): Promise<Result> {
		const { contentType } = this;
		const { head } = this.response.body;
		const audio = audioTypeOf(head, contentType);
		if (audio !== undefined && head.length > 0) return await this.storeFile(audio);
		const isAudioDeclared = isAnnouncedAsAudio(contentType);
		if (isText(head, contentType) && !(isAudioDeclared && !this.mayBeJson())) {
			const { json, text } = await this.readObject();
			if (text === '') return { json: {} };
			if (json !== undefined) return { json };
			// Declared as JSON and begun as JSON: it ended early.
			if (this.isJsonDeclared && this.mayBeJson()) throw this.unexpected('JSON', 'incomplete JSON');
			if (!isAudioDeclared) return { json: { data: maskApiKey(text, this.apiKey) } };
		}
		if (head.length === 0) return { json: {} };
		if (isAudioDeclared) throw this.unexpected('audio');
		const mimeType = withoutParameters(contentType) || 'application/octet-stream';
		return await this.storeFile(formatOf(head) ?? { mimeType, extensions: ['bin'] });
	}

	private unexpected(expected: string, found?: string) {
		const { head } = this.response.body;
		return unexpectedResponse(expected, found ?? formatOf(head)?.name, head, this.contentType);
	}

	private get isJsonDeclared(): boolean {
		return /^application\/([\w.-]+\+)?json$/i.test(withoutParameters(this.contentType));
	}

	/** Whether the first bytes can be the start of JSON, so that reading it all is worth it. */
	private mayBeJson(): boolean {
		const { head } = this.response.body;
		return /^\s*([[{"\d-]|true|false|null)/.test(decodeText(head, this.contentType));
	}

	private async readObject(): Promise<{ json: IDataObject | undefined; text: string }> {
		const text = decodeText(await this.response.body.read(), this.contentType, true);
		return { json: readJson(text, this.apiKey), text };
	}

	private async storeFile(type: FileType): Promise<Result> {
		const { body } = this.response;
		const { output } = this;
		const fileName = fileNameFor(output.fileName, type, 'audio');
		const short = await body.readShort(maxBufferedFileBytes);
		let bytes = short?.length ?? 0;
		const count = (length: number) => {
			bytes += length;
		};
		let file: IBinaryData;
		try {
			file = await this.store(short ?? body.asStream(count), fileName, type.mimeType);
		} catch (error) {
			// Either the response broke off, or n8n's storage failed.
			throw body.fault ?? notStored(reasonOf(error));
		}
		return {
			json: { fileName, mimeType: type.mimeType, bytes, ...output.about },
			files: { [output.fieldName]: file },
		};
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
	{ answer }: Endpoint,
	output: OutputFile,
	apiKey: string,
	store: StoreFile,
): Promise<Result> {
	const { fault } = response.body;
	if (fault !== undefined) throw fault;
	const reader = new ResponseReader(response, output, apiKey, store);
	if (answer === 'json') return await reader.readJson();
	return answer === 'audio' ? await reader.readAudio() : await reader.readAny();
}
