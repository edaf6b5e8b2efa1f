import * as fc from 'fast-check';

import { findObstacle } from '../../../nodes/VoiceSpeech/errors/audioError.ts';
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
import { mutate, mutations } from '../../support/media/mutations.mts';
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
];

/**
 * Converts a recording whose readings after the first one may return other bytes.
 *
 * @returns why it is not converted, or undefined
 */
async function convertReadings({ container }: Base, ...readings: Buffer[]) {
	const options = { wavRate: 16_000 as const, yieldToEventLoop: async () => {} };
	const startNextReading = async () =>
		startReading(readings.length > 1 ? readings.shift()! : readings[0]!);
	try {
		const audio = await convertAudio(container, startNextReading, options);
		if (audio.kind === 'unchanged') return 'unchanged';
		let written = 0;
		for await (const chunk of audio.chunks()) {
			written += chunk.length;
			expect(written).toBeLessThanOrEqual(audio.size);
		}
		expect(written).toBe(audio.size);
		return undefined;
	} catch (error) {
		const obstacle = findObstacle(error);
		if (obstacle === undefined) throw error;
		return obstacle.kind;
	}
}

const numRuns = 300;

it.each(bases)(
	'converts 300 damaged copies of $what to the length that was declared, or rejects them',
	async (base) => {
		let converted = 0;
		const property = fc.asyncProperty(mutations, mutations, async (first, second) => {
			const damaged = mutate(base.file, first);
			const refusal = await convertReadings(base, damaged);
			if (refusal === undefined) converted++;
			// All readings have returned the same bytes.
			expect(refusal).not.toBe('changed');
			await convertReadings(base, damaged, mutate(damaged, second));
		});
		await fc.assert(property, { numRuns, seed: 25 });
		expect(converted).toBeGreaterThan(numRuns / 40);
		// Hardly any damage keeps raw AAC from being converted.
		expect(converted).toBeLessThan(numRuns);
	},
	600_000,
);
