import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { isDataAddress } from '../audio/dataAddress';
import { type AudioSource, ignoreEarlyErrors, yieldAll } from '../audio/reader';
import { createAudioNotReadableError, createEmptyFileError } from '../errors/audioError';
import { formatReason } from '../errors/quote';
import { pieceBytes } from '../limits';
import { toStringOrEmpty } from '../text/json';

/** Reads n8n's storage of files. */
type Storage = Pick<IExecuteFunctions['helpers'], 'getBinaryMetadata' | 'getBinaryStream'>;

type NamedFile = IBinaryData & { fileName: string };

/** The bytes of a file that the item itself contains in base64. A data address is decoded where the audio is opened. */
function decodeContent(data: string): Buffer {
	return Buffer.from(data, isDataAddress(data) ? 'utf8' : 'base64');
}

/** The audio of a file that the item itself contains in base64 (n8n's in-memory mode). */
function createMemorySource(file: NamedFile): AudioSource {
	const { data, fileName, mimeType } = file;
	return {
		fileName,
		isRemote: false,
		identity: [data, fileName, mimeType],
		async check() {
			if (data === '') throw createEmptyFileError(fileName);
		},
		async open() {
			const bytes = decodeContent(data);
			const declared = { name: fileName, mimeType };
			return { size: bytes.length, declared, chunks: yieldAll([bytes]), close() {} };
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
				const chunkBytes = Math.min(pieceBytes, size || pieceBytes);
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
