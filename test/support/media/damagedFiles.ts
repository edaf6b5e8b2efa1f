import * as fc from 'fast-check';

import { findObstacle } from '../../../nodes/VoiceSpeech/audio/conversionError';
import type { Container } from '../../../nodes/VoiceSpeech/audio/format';
import { readAudioFile } from './audioFiles';
import {
	createCluster,
	createDiscardingGroup,
	createMatroskaFile,
	createSimpleBlock,
	createTrackEntry,
} from './matroska';
import { startConversion, startReading } from './conversion';
import { createOpusFile, createOpusHead, createOpusStart, page, tone } from './ogg';

/** Packets in blocks of three with Xiph lacing. */
const laced = Array.from({ length: 9 }, (_, index) => {
	const frames = tone.slice(index * 3, index * 3 + 3);
	const sizes = frames.slice(0, -1).map(({ length }) => length);
	return createSimpleBlock(Buffer.concat([Buffer.from([2, ...sizes]), ...frames]), 1, 2);
});

const aac = createTrackEntry({
	codecId: 'A_AAC',
	codecPrivate: Buffer.from('1408', 'hex'),
	channels: 1,
});

const bases: Array<{ format: Container; file: Buffer }> = [
	{ format: 'ogg', file: readAudioFile('opus.opus') },
	{
		format: 'ogg',
		file: Buffer.concat([
			createOpusFile(tone.slice(0, 9), 8000),
			createOpusFile(tone.slice(5, 20), 9000),
		]),
	},
	{
		format: 'ogg',
		file: Buffer.concat([createOpusStart(), ...tone.map((packet) => page([packet]))]),
	},
	{ format: 'matroska', file: readAudioFile('opus.webm') },
	{
		format: 'matroska',
		file: createMatroskaFile(
			[createTrackEntry({ codecPrivate: createOpusHead() })],
			[createCluster(laced)],
		),
	},
	{
		format: 'matroska',
		file: createMatroskaFile(
			[aac],
			[createCluster([createSimpleBlock(tone[0]!), createDiscardingGroup(tone[1]!, 5_000_000)])],
		),
	},
];

/** A change of a file, in which some bytes are replaced by others. */
interface Mutation {
	/** Part of the file's length, from 0 to 1. */
	offset: number;
	removed: number;
	inserted: Uint8Array;
}

const mutations = fc.array(
	fc.record<Mutation>({
		offset: fc.noBias(fc.nat(9999).map((part) => part / 10_000)),
		removed: fc.oneof({ weight: 9, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(400) }),
		inserted: fc.oneof(
			fc.uint8Array({ maxLength: 8 }),
			fc.constantFrom(Buffer.alloc(4, 255), Buffer.alloc(9), Buffer.from('OggS'), Buffer.of(0xa3)),
		),
	}),
	{ minLength: 1, maxLength: 4 },
);

const mutate = (file: Buffer, changes: Mutation[]) =>
	changes.reduce((bytes, { offset, removed, inserted }) => {
		const start = Math.floor(offset * bytes.length);
		return Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(start + removed)]);
	}, file);

/** Converts two readings. Returns the length of the output and the expected one; undefined if it is refused. */
async function measureConverted(format: Container, readings: Buffer[]) {
	let length = 0;
	try {
		const audio = await startConversion(format, async () => startReading(readings.shift()!));
		for await (const chunk of audio.chunks()) {
			length += chunk.length;
			expect(length).toBeLessThanOrEqual(audio.size);
		}
		return { length, expected: audio.size };
	} catch (error) {
		if (findObstacle(error) === undefined) await Promise.reject(error);
		return undefined;
	}
}

/** Mutated files are refused, or converted to exactly the length that was found before. */
export async function convertDamagedFiles(numRuns: number): Promise<void> {
	let converted = 0;
	const base = fc.constantFrom(...bases);
	const property = fc.asyncProperty(
		base,
		mutations,
		mutations,
		async ({ format, file }, one, two) => {
			const mutated = mutate(file, one);
			const same = await measureConverted(format, [mutated, mutated]);
			if (same !== undefined) converted++;
			expect(same?.length).toBe(same?.expected);
			const other = await measureConverted(format, [mutated, mutate(mutated, two)]);
			expect(other?.length).toBe(other?.expected);
		},
	);
	await fc.assert(property, { numRuns, seed: 25 });
	expect(converted).toBeGreaterThan(numRuns / 4);
}
