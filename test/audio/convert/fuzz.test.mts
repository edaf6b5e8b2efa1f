import * as fc from 'fast-check';

import { findObstacle } from '../../../nodes/VoiceSpeech/audio/conversionError.ts';
import { convertAudio } from '../../../nodes/VoiceSpeech/audio/convert/convertAudio.ts';
import type { Container } from '../../../nodes/VoiceSpeech/audio/format.ts';
import { convertedFiles, readAudioFile } from '../../support/media/audioFiles.mts';
import {
	createCluster,
	createDiscardingGroup,
	createMatroskaFile,
	createSimpleBlock,
	createTrackEntry,
} from '../../support/media/matroska.mts';
import { startReading } from '../../support/media/conversion.mts';
import { createEditList, createMovieFile } from '../../support/media/movies.mts';
import { u32 } from '../../support/media/isobmff.mts';
import { createOpusFile, createOpusHead, tone } from '../../support/media/ogg.mts';

const chain = Buffer.concat([
	createOpusFile(tone.slice(0, 9), 8000),
	createOpusFile(tone.slice(5, 20), 9000),
]);

/** Packets in blocks of three with Xiph lacing. */
const lacedBlocks = Array.from({ length: 9 }, (_, index) => {
	const frames = tone.slice(index * 3, index * 3 + 3);
	const sizes = frames.slice(0, -1).map(({ length }) => length);
	return createSimpleBlock(Buffer.concat([Buffer.from([2, ...sizes]), ...frames]), 1, 2);
});

const laced = createMatroskaFile(
	[createTrackEntry({ codecPrivate: createOpusHead() })],
	[createCluster(lacedBlocks)],
);

const aacInMatroska = createMatroskaFile(
	[createTrackEntry({ codecId: 'A_AAC', codecPrivate: Buffer.from([0x14, 0x08]), channels: 1 })],
	[createCluster([createSimpleBlock(tone[0]!), createDiscardingGroup(tone[1]!, 5_000_000)])],
);

const edits = createEditList({ duration: 1000, start: 1024 });
const edited = createMovieFile({ track: { others: [edits] } });

/** Of the brand of QuickTime, because audio of others is sent unchanged. */
const fragments = Buffer.from(readAudioFile('fragments.mp4'));
fragments.write('qt  ', 8, 'latin1');

/** A file that is converted, before it is damaged. */
interface Base {
	what: string;
	container: Container;
	file: Buffer;
}

const bases: Base[] = [
	...convertedFiles.map(({ file, container }) => ({
		what: file,
		container,
		file: readAudioFile(file),
	})),
	{ what: 'two chained recordings in OGG', container: 'ogg', file: chain },
	{ what: 'Matroska with lacing', container: 'matroska', file: laced },
	{ what: 'AAC in Matroska', container: 'matroska', file: aacInMatroska },
	{ what: 'a video with an edit list', container: 'isobmff', file: edited },
	{ what: 'a fragmented video', container: 'isobmff', file: fragments },
];

/** Names of boxes and elements whose content decides what is converted. */
const importantNames = 'stsz stsc stco stts elst trun tfhd esds moov mdhd'.split(' ');

/** Where these names are in a file. A change near one of them is likely to have an effect. */
function findImportantOffsets(file: Buffer): number[] {
	return importantNames.flatMap((name) => {
		const offsets: number[] = [];
		for (let at = file.indexOf(name); at !== -1; at = file.indexOf(name, at + 1)) offsets.push(at);
		return offsets;
	});
}

/** A change of a file, in which some bytes are replaced by others. */
interface Mutation {
	/** From 0 to 1: a part of the file's length, or of the list of its important offsets. */
	position: number;
	/** Distance from the start of a box; undefined for a change anywhere in the file. */
	distance?: number;
	removed: number;
	inserted: Uint8Array;
}

const positions = fc.noBias(fc.nat(9999).map((part) => part / 10_000));

const replacements = fc.record<Mutation>({
	position: positions,
	removed: fc.oneof({ weight: 9, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(400) }),
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

const cuts = fc.record<Mutation>({
	position: positions,
	removed: fc.constant(Infinity),
	inserted: fc.constant(Buffer.alloc(0)),
});

const mutations = fc.array(
	fc.oneof(
		{ weight: 5, arbitrary: replacements },
		{ weight: 4, arbitrary: otherValues },
		{ weight: 1, arbitrary: cuts },
	),
	{ minLength: 1, maxLength: 4 },
);

function findStart(file: Buffer, { position, distance }: Mutation): number {
	const offsets = distance === undefined ? [] : findImportantOffsets(file);
	if (offsets.length === 0) return Math.floor(position * file.length);
	const nameOffset = offsets[Math.floor(position * offsets.length)]!;
	return Math.max(0, nameOffset - 4) + distance!;
}

const mutate = (file: Buffer, changes: Mutation[]) =>
	changes.reduce((bytes, change) => {
		const start = findStart(bytes, change);
		const rest = bytes.subarray(start + change.removed);
		return Buffer.concat([bytes.subarray(0, start), change.inserted, rest]);
	}, file);

/** How many bytes a conversion has written and declared, or why the recording is not converted. */
type Outcome = { written: number; declared: number } | { refusal: string };

/** Converts a recording whose readings after the first one may return other bytes. */
async function convertReadings(
	container: Container,
	first: Buffer,
	later: Buffer,
): Promise<Outcome> {
	const options = { wavRate: 16_000 as const, yieldToEventLoop: async () => {} };
	let bytes = first;
	const startNextReading = async () => {
		const reading = startReading(bytes);
		bytes = later;
		return reading;
	};
	try {
		const audio = await convertAudio(container, startNextReading, options);
		if (audio.kind === 'unchanged') return { refusal: 'unchanged' };
		let written = 0;
		for await (const chunk of audio.chunks()) {
			written += chunk.length;
			expect(written).toBeLessThanOrEqual(audio.size);
		}
		return { written, declared: audio.size };
	} catch (error) {
		const obstacle = findObstacle(error);
		if (obstacle === undefined) throw error;
		return { refusal: obstacle.kind };
	}
}

function expectDeclaredLength(outcome: Outcome): void {
	if ('written' in outcome) expect(outcome.written).toBe(outcome.declared);
}

const numRuns = 300;

it.each(bases)(
	'converts 300 damaged copies of $what to the length that was declared, or rejects them',
	async ({ container, file }) => {
		let converted = 0;
		const property = fc.asyncProperty(mutations, mutations, async (first, second) => {
			const damaged = mutate(file, first);
			const outcome = await convertReadings(container, damaged, damaged);
			if ('written' in outcome) converted++;
			expectDeclaredLength(outcome);
			// All readings have returned the same bytes.
			expect(outcome).not.toEqual({ refusal: 'changed' });
			expectDeclaredLength(await convertReadings(container, damaged, mutate(damaged, second)));
		});
		await fc.assert(property, { numRuns, seed: 25 });
		expect(converted).toBeGreaterThan(numRuns / 40);
		// Hardly any damage keeps raw AAC from being converted.
		expect(converted).toBeLessThan(numRuns);
	},
	600_000,
);
