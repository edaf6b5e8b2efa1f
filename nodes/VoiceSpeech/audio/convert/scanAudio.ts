import type { Container } from '../format';
import type { ForwardReader, ReadAgain } from '../../streams/forwardReader';
import { scanIsobmff } from './isobmff/scanIsobmff';
import { scanMatroska } from './matroska/scanMatroska';
import type { ReaderPool } from './readerPool';
import { scanAdts } from './scanAdts';
import { scanFlac } from './scanFlac';
import { scanMp3 } from './scanMp3';
import { scanOgg } from './scanOgg';
import { scanWav } from './scanWav';
import type { AudioTrack, UnchangedFile } from './track';

type Scanner = (
	reader: ForwardReader,
	readAgain: ReadAgain,
	indexesM4a: boolean,
) => Promise<AudioTrack | UnchangedFile>;

const scanners: Record<Container, Scanner> = {
	ogg: scanOgg,
	matroska: scanMatroska,
	isobmff: scanIsobmff,
	adts: scanAdts,
	wav: scanWav,
	mp3: scanMp3,
	flac: scanFlac,
};

/**
 * Makes the first reading of a recording.
 *
 * @param indexesM4a whether an M4A file that is sent as it is is read to its end
 * @returns an {@link UnchangedFile} for an M4A file that is not read to its end, or cannot be
 * @throws {ConversionError} for a recording without audio that the node can read; otherwise what reading it throws
 */
export async function scanAudio(
	container: Container,
	readers: ReaderPool,
	indexesM4a: boolean,
): Promise<AudioTrack | UnchangedFile> {
	return await readers.withReader(
		async (reader) =>
			await scanners[container](reader, async (use) => await readers.withReader(use), indexesM4a),
	);
}
