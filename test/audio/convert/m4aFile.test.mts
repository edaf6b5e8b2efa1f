import { findBox } from '../../../nodes/VoiceSpeech/audio/isobmff/boxes.ts';
import { prepareM4a } from '../../../nodes/VoiceSpeech/audio/convert/m4aFile.ts';
import type { CopiedTrack } from '../../../nodes/VoiceSpeech/audio/convert/track.ts';
import { describedTrack, packets, sizes, u32 } from '../../support/media/isobmff.mts';
import { collect, createReader, readObstacle } from '../../support/media/conversion.mts';

const createEmptyReader = () => createReader(Buffer.alloc(0));

type Changes = Partial<Omit<CopiedTrack, 'packetBytes' | 'largestPacket' | 'totalTicks'>>;

async function* readPackets() {
	yield* packets;
}

const createTrack = (changes: Changes = {}): CopiedTrack => {
	const track = { ...describedTrack, readPackets, ...changes };
	return {
		...track,
		kind: 'copied',
		packetBytes: track.sizes.reduce((sum, size) => sum + size, 0),
		largestPacket: Math.max(...track.sizes),
		totalTicks: track.durations.reduce(
			(sum, ticks, index) => (index % 2 === 0 ? sum : sum + track.durations[index - 1]! * ticks),
			0,
		),
	};
};

/** Writes an M4A file, whose length must be the declared one. */
async function write(changes: Changes = {}, reader = createEmptyReader()) {
	const { size, chunks } = prepareM4a(createTrack(changes));
	const file = Buffer.concat(await collect(chunks(reader)));
	expect(file).toHaveLength(size);
	return { file, find: (path: string) => findBox(file, path)!.toString('hex') };
}

const toHex = (...values: number[]) => u32(...values).toString('hex');

const tables = 'moov/trak/mdia/minf/stbl';

describe('an M4A file', () => {
	it('has the index first, and the packets in one chunk', async () => {
		const { file, find } = await write();
		const data = Buffer.concat(packets);
		expect(file.subarray(-data.length)).toEqual(data);
		expect(file.toString('latin1', 4, 12)).toBe('ftypM4A ');
		expect(find('mdat')).toBe(data.toString('hex'));
		expect(find(`${tables}/stco`)).toBe(toHex(0, 1, file.length - data.length));
		expect(find(`${tables}/stsc`)).toBe(toHex(0, 1, 1, 7, 1));
		expect(find(`${tables}/stsz`)).toBe(toHex(0, 0, 7, ...sizes));
		expect(find(`${tables}/stts`)).toBe(toHex(0, 1, 7, 1024));
		expect(findBox(file, 'moov/trak/edts')).toBeUndefined();
	});

	it('describes AAC', async () => {
		const { find } = await write();
		const entry = find(`${tables}/stsd`);
		// One entry: two channels, 16 bits, 44,100 Hz.
		expect(entry).toMatch(/^0{15}1.{8}6d703461(0000){3}0001(0000){4}0002001000000000ac440000/);
		// MPEG-4 audio, the largest packet, twice the bit rate, the configuration.
		const bitRate = Math.round((56 * 8 * 44_100) / 7168);
		expect(entry).toContain(`401500000b${toHex(bitRate, bitRate)}05808080021210`);
		expect(entry).toMatch(/068080800102$/);
	});

	it('describes ALAC', async () => {
		const config = Buffer.alloc(24, 24);
		const { find } = await write({ codec: 'alac', config, channels: 1, samplingRate: 96_000 });
		const entry = find(`${tables}/stsd`);
		expect(entry).toMatch(/616c6163(0000){3}0001(0000){4}0001001800000000(0000){2}/);
		expect(entry).toContain(`${toHex(36)}616c6163${toHex(0)}${config.toString('hex')}`);
	});

	it('keeps packet durations that differ', async () => {
		const durations = Uint32Array.of(5, 2000, 2, 0);
		const { find } = await write({ durations, timescale: 1000 });
		expect(find(`${tables}/stts`)).toBe(toHex(0, 2, 5, 2000, 2, 0));
		expect(find('moov/trak/mdia/mdhd')).toBe(
			toHex(0x1000000, 0, 0, 0, 0, 1000, 0, 10_000, 0x55c40000),
		);
	});

	it('has an edit list with all parts in playing order', async () => {
		const playedParts = [
			{ skippedTicks: 4096, playedTicks: 441 },
			{ skippedTicks: 1024, playedTicks: 882 },
		];
		const { find } = await write({ playedParts });
		const entries = [0, 441, 0, 4096, 0x10000, 0, 882, 0, 1024, 0x10000];
		expect(find('moov/trak/edts/elst')).toBe(toHex(0x1000000, 2, ...entries));
		expect(find('moov/mvhd')).toContain(toHex(44_100, 0, 1323, 0x10000, 0x1000000));
		const trackHeader = toHex(0x1000007, 0, 0, 0, 0, 1, 0, 0, 1323);
		expect(find('moov/trak/tkhd').startsWith(trackHeader)).toBe(true);
	});

	it('has times and data that need 64 bits', async () => {
		const many = Uint32Array.from({ length: 1100 }, () => 4 * 1024 * 1024);
		const { size, chunks } = prepareM4a(
			createTrack({ sizes: many, durations: Uint32Array.of(1100, 0xffffffff) }),
		);
		const first = (await chunks(createEmptyReader()).next()).value as Buffer;
		const payload = 1100 * 4 * 1024 * 1024;
		expect(size).toBe(first.length + payload);
		expect(first.subarray(-16).toString('hex')).toBe(
			`${toHex(1)}6d646174${toHex(1, (payload + 16) % 2 ** 32)}`,
		);
		expect(findBox(first, `${tables}/stco`)!.readUInt32BE(8)).toBe(first.length);
		expect(findBox(first, 'moov/trak/mdia/mdhd')!.readBigUInt64BE(24)).toBe(1100n * 0xffffffffn);
	});

	it('is written in steps if its index is long', async () => {
		const count = 20_001;
		const durations = Uint32Array.from({ length: 2 * count }, (_, index) =>
			index % 2 === 0 ? 1 : index >> 1,
		);
		const lengths = Uint32Array.from({ length: count }, (_, index) => index % 7);
		async function* readManyPackets() {
			for (const length of lengths) yield Buffer.alloc(length);
		}
		const yieldToEventLoop = jest.fn();
		const reader = createReader(Buffer.alloc(0), 1, yieldToEventLoop);
		const changes = { durations, sizes: lengths, readPackets: readManyPackets };
		const { file } = await write(changes, reader);
		expect(yieldToEventLoop.mock.calls.length).toBeGreaterThan(3);
		// `toEqual` compares byte by byte, which takes a second.
		expect(findBox(file, `${tables}/stsz`)?.equals(u32(0, 0, count, ...lengths))).toBe(true);
		expect(findBox(file, `${tables}/stts`)?.equals(u32(0, count, ...durations))).toBe(true);
	});

	it.each<[what: string, others: Buffer[]]>([
		['fewer packets', packets.slice(0, -1)],
		['one packet more', [...packets, Buffer.alloc(0)]],
		['another length', [...packets.slice(0, -1), Buffer.alloc(99)]],
	])('is not finished if the second reading finds %s', async (_, others) => {
		async function* readOthers() {
			yield* others;
		}
		const writing = write({ readPackets: readOthers });
		expect(await readObstacle(writing)).toEqual({ kind: 'changed' });
	});
});
