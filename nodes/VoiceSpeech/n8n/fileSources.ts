import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { decodeAddressContent, readDataPrefix } from '../audio/dataAddress';
import { type AudioSource, ignoreEarlyErrors } from '../audio/reader';
import { createAudioNotReadableError, createEmptyFileError } from '../errors/audioError';
import { formatReason } from '../errors/quote';
import { fileChunkBytes } from '../limits';
import { toStringOrEmpty } from '../text/json';

/** Reads n8n's storage of files. */
type Storage = Pick<IExecuteFunctions['helpers'], 'getBinaryMetadata' | 'getBinaryStream'>;

type NamedFile = IBinaryData & { fileName: string };

/**
 * The bytes and the type of a file that the item itself contains in base64, perhaps as a data address.
 *
 * @throws {UserError} if the data address is damaged
 */
function decodeContent({ data, mimeType, fileName }: NamedFile): {
	bytes: Buffer;
	mimeType: string;
} {
	const prefix = readDataPrefix(data);
	if (prefix === undefined) return { bytes: Buffer.from(data, 'base64'), mimeType };
	const bytes = decodeAddressContent(data.slice(prefix.length), fileName);
	return { bytes, mimeType: prefix.mimeType || mimeType };
}

async function* yieldOneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
	yield bytes;
}

/** The audio of a file that the item itself contains in base64 (n8n's in-memory mode). */
function createMemorySource(file: NamedFile): AudioSource {
	const { data, fileName } = file;
	return {
		fileName,
		isRemote: false,
		identity: [data, fileName, file.mimeType],
		async check() {
			if (data === '') throw createEmptyFileError(fileName);
		},
		async open() {
			const { bytes, mimeType } = decodeContent(file);
			const declared = { name: fileName, mimeType };
			return { size: bytes.length, declared, chunks: yieldOneChunk(bytes), close() {} };
		},
	};
}

/** The audio of a file in n8n's storage. */
function createStoredSource(
	{ fileName, mimeType }: NamedFile,
	id: string,
	storage: Storage,
): AudioSource {
	/** @throws {UserError} if n8n's storage fails, or does not have the file */
	async function readFileSize(): Promise<number> {
		try {
			return (await storage.getBinaryMetadata(id)).fileSize;
		} catch (error) {
			throw createAudioNotReadableError(formatReason(error));
		}
	}
	return {
		fileName,
		isRemote: false,
		identity: [id, fileName, mimeType],
		async check() {
			if ((await readFileSize()) === 0) throw createEmptyFileError(fileName);
		},
		async open(signal) {
			const size = await readFileSize();
			try {
				// Node allocates a chunk of this size even for a smaller file.
				const chunkBytes = Math.min(fileChunkBytes, size || fileChunkBytes);
				const stream = await storage.getBinaryStream(id, chunkBytes);
				ignoreEarlyErrors(stream);
				// Ends a read that returns no data. The listener is removed on close, because it would keep the file in memory.
				const stop = () => stream.destroy();
				signal.addEventListener('abort', stop);
				stream.once('close', () => signal.removeEventListener('abort', stop));
				if (signal.aborted) stop();
				const declared = { name: fileName, mimeType };
				return { size, declared, chunks: stream, close: () => stream.destroy() };
			} catch (error) {
				throw createAudioNotReadableError(formatReason(error));
			}
		},
	};
}

/** The audio of a file of the input, not opened. */
export function createFileSource(file: IBinaryData, storage: Storage): AudioSource {
	// The name and the type may be missing in what a Code node returns.
	const named = {
		...file,
		fileName: toStringOrEmpty(file.fileName),
		mimeType: toStringOrEmpty(file.mimeType),
	};
	const source = file.id ? createStoredSource(named, file.id, storage) : createMemorySource(named);
	return { ...source, file };
}
