import { AudioReader } from '../../nodes/VoiceSpeech/audio/reader.ts';
import { RepeatableAudio } from '../../nodes/VoiceSpeech/audio/repeatableAudio.ts';
import { collect, startReading } from '../support/media/conversion.mts';

/** Bytes that differ from their neighbors. */
const recording = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 251));

function openRecording(maxKeptBytes: number, later = recording) {
	const counts = { opened: 0, closed: 0 };
	const open = (bytes: Buffer) => {
		counts.opened++;
		const { chunks } = startReading(bytes, 10_000);
		const close = () => counts.closed++;
		const declared = { name: '', mimeType: '' };
		return new AudioReader({ size: bytes.length, declared, chunks, close }, () => {});
	};
	const audio = new RepeatableAudio(open(recording), async () => open(later), maxKeptBytes);
	return { audio, counts };
}

async function readAll(audio: RepeatableAudio): Promise<Buffer> {
	const { chunks, close } = await audio.startReading();
	const bytes = Buffer.concat(await collect(chunks));
	close();
	return bytes;
}

describe('repeatable audio', () => {
	it.each([
		{ what: 'opens it once if all of it is kept', maxKeptBytes: 300_000, opened: 1 },
		{ what: 'opens it for each reading otherwise', maxKeptBytes: 299_999, opened: 3 },
	])('reads a recording three times, and $what', async ({ maxKeptBytes, opened }) => {
		const { audio, counts } = openRecording(maxKeptBytes);
		for (let reading = 0; reading < 3; reading++) {
			expect((await readAll(audio)).equals(recording)).toBe(true);
		}
		audio.close();
		expect(counts).toEqual({ opened, closed: opened });
	});

	it('continues a first reading that has ended early, and opens the recording after that', async () => {
		const { audio, counts } = openRecording(100_000);
		const { chunks, close } = await audio.startReading();
		await chunks[Symbol.asyncIterator]().next();
		close();
		for (const opened of [1, 2, 3]) {
			expect((await readAll(audio)).equals(recording)).toBe(true);
			expect(counts.opened).toBe(opened);
		}
	});

	it.each<[what: string, later: Buffer]>([
		['another length', recording.subarray(1)],
		['other bytes', Buffer.from(recording).reverse()],
		['another end', Buffer.from(recording).fill(255, 200_000)],
	])('fails if a recording that is opened again has %s', async (_, later) => {
		const { audio } = openRecording(1000, later);
		await readAll(audio);
		await expect(readAll(audio)).rejects.toMatchObject({ obstacle: { kind: 'changed' } });
	});

	it('closes a recording that opens after the readings have ended', async () => {
		const { audio, counts } = openRecording(1000);
		await readAll(audio);
		const later = audio.startReading();
		audio.close();
		await later;
		expect(counts).toEqual({ opened: 2, closed: 2 });
	});
});
