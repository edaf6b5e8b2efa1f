import * as fc from 'fast-check';

import { u32 } from './isobmff.mts';

/** Names of boxes and elements whose content decides what is converted. */
const importantNames = /stsz|stsc|stco|stts|elst|trun|tfhd|esds|moov|mdhd/g;

/** Where these names are in a file. A change near one of them is likely to have an effect. */
const findImportantOffsets = (file: Buffer) =>
	Array.from(file.toString('latin1').matchAll(importantNames), ({ index }) => index);

/** A change of a file, in which some bytes are replaced by others. */
interface Mutation {
	/** From 0 to 1: a part of the file's length, or of the list of its important offsets. */
	position: number;
	/** Distance from the start of a box; undefined for a change anywhere in the file. */
	distance?: number;
	/** Infinity cuts off the rest. */
	removed: number;
	inserted: Uint8Array;
}

/** Half of them are in the first hundredth, which has the header. */
const positions = fc.noBias(fc.oneof(fc.nat(99), fc.nat(9999)).map((part) => part / 10_000));

const replacements = fc.record<Mutation>({
	position: positions,
	removed: fc.oneof(
		{ weight: 8, arbitrary: fc.nat(2) },
		{ weight: 1, arbitrary: fc.constantFrom(400, Infinity) },
	),
	inserted: fc.oneof(
		fc.uint8Array({ maxLength: 8 }),
		fc.constantFrom(Buffer.alloc(4, 255), Buffer.alloc(9), Buffer.from('OggS'), Buffer.of(0xa3)),
	),
});

/** At the limits of 32 bits, and small. */
const numbers = [0, 1, 8, 0x01000000, 0x7fffffff, 0x80000000, 0xffffffff].map((one) => u32(one));

/** Other numbers and bytes in the index of a video, whose length does not change. */
const otherValues = fc
	.record({
		position: positions,
		distance: fc.nat(27),
		inserted: fc.oneof(fc.constantFrom(...numbers), fc.uint8Array({ minLength: 1, maxLength: 1 })),
	})
	.map((change): Mutation => ({ ...change, removed: change.inserted.length }));

/** Damage in one to four places of a file. */
export const mutations = fc.array(fc.oneof(replacements, otherValues), {
	minLength: 1,
	maxLength: 4,
});

function findStart(file: Buffer, { position, distance }: Mutation): number {
	const offsets = distance === undefined ? [] : findImportantOffsets(file);
	if (offsets.length === 0) return Math.floor(position * file.length);
	const nameOffset = offsets[Math.floor(position * offsets.length)]!;
	return Math.max(0, nameOffset - 4) + distance!;
}

export const mutate = (file: Buffer, changes: Mutation[]) =>
	changes.reduce((bytes, change) => {
		const start = findStart(bytes, change);
		const rest = bytes.subarray(start + change.removed);
		return Buffer.concat([bytes.subarray(0, start), change.inserted, rest]);
	}, file);
