import fc from 'fast-check';

import { fileNameFor } from '../../nodes/VoiceSpeech/audio/fileName';
import { formatOf, headLength } from '../../nodes/VoiceSpeech/audio/format';
import { probeAudio, maxProbeBytes } from '../../nodes/VoiceSpeech/audio/probe';
import { sniffFormat } from '../../nodes/VoiceSpeech/audio/sniff';
import { sampleFindings } from '../../nodes/VoiceSpeech/audio/sample';
import { audioFile, audioFiles, countedReader } from '../support/audioFiles';

/** Beginnings of all the files, as seeds: their headers are in there. */
const seeds = audioFiles.map(({ file }) => audioFile(file).subarray(0, 12_000));

/** Every format whose header is read, however the bytes look. */
const headers = audioFiles.filter(({ file }) => /^(pcm-16|rf64|cbr|mono|faststart)\./.test(file));

const chunkSize = 4096;

async function look(bytes: Uint8Array, tellsSize: boolean): Promise<void> {
	const { reader, taken } = await countedReader(bytes, chunkSize, tellsSize);
	const found = await sniffFormat(reader);
	const measures = await probeAudio(reader, found);
	// As if the bytes had been taken for each of the formats, too.
	for (const { file } of headers) await probeAudio(reader, formatOf(audioFile(file)));
	for (const value of Object.values(measures)) {
		expect(Number.isFinite(value)).toBe(true);
		expect(value).toBeGreaterThanOrEqual(0);
	}
	expect(sampleFindings(measures).every(({ text }) => text.length < 100)).toBe(true);
	expect(taken.farthest).toBeLessThanOrEqual(maxProbeBytes + headLength);
	expect(taken.bytes).toBeLessThanOrEqual(maxProbeBytes + headLength + chunkSize);
	// Six headers, and not more than so many looks at each.
	expect(taken.looks).toBeLessThan(6 * 2000 + 20);
}

interface Edit {
	at: number;
	bytes: Uint8Array;
}

/** The likes of lengths and counts, at their limits. */
const limits = ['00000000', 'ffffffff', '7fffffff', '80000000', '00000001', '01000000'].map((hex) =>
	Uint8Array.from(Buffer.from(hex, 'hex')),
);

const edit: fc.Arbitrary<Edit> = fc.record({
	at: fc.oneof(fc.nat(64), fc.nat(1000), fc.nat(12_000)),
	bytes: fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.constantFrom(...limits)),
});

function edited(seed: Uint8Array, edits: Edit[]): Buffer {
	const bytes = Buffer.from(seed);
	for (const { at, bytes: others } of edits) {
		if (at < bytes.length) bytes.set(others.subarray(0, bytes.length - at), at);
	}
	return bytes;
}

/** A real file's beginning, bytes of it overwritten, perhaps cut, perhaps with the same behind it once more. */
const mutated = fc
	.record({
		seed: fc.constantFrom(...seeds),
		edits: fc.array(edit, { maxLength: 6 }),
		end: fc.oneof(fc.nat(12_000), fc.constant(Infinity)),
		again: fc.boolean(),
	})
	.map(({ seed, edits, end, again }) => {
		const bytes = edited(seed, edits);
		return (again ? Buffer.concat([bytes, seed]) : bytes).subarray(0, end);
	});

describe('however the bytes look, reading them ends, and in time', () => {
	it('random bytes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 9000, size: 'max' }), fc.boolean(), look),
			{ numRuns: 300 },
		);
	});

	it('headers of real files, changed and cut', async () => {
		await fc.assert(fc.asyncProperty(mutated, fc.boolean(), look), { numRuns: 800 });
	});

	it('every beginning of every file', async () => {
		for (const seed of seeds) {
			for (let length = 0; length < 60; length++) await look(seed.subarray(0, length), true);
		}
	});

	it('the beginning alone says what the whole file says, or nothing', () => {
		for (const seed of seeds) {
			const whole = formatOf(seed)?.name;
			for (let length = 0; length < 600; length++) {
				const found = formatOf(seed.subarray(0, length))?.name;
				// A tag or a box whose end is not in sight is taken for what it mostly is.
				const allowed = [whole, undefined, 'MP3', 'OGG', 'QuickTime', 'M4A'];
				expect(allowed).toContain(found);
			}
		}
	});
});

it('a file name is harmless, whatever n8n calls the file', () => {
	const found = formatOf(audioFile('pcm-16.wav'));
	fc.assert(
		fc.property(
			fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })),
			(name) => {
				const safe = fileNameFor(name, found, 'recording');
				expect(safe).toMatch(/^[^/\\":*?<>|\r\n]+\.(wav|wave)$/);
				expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(190);
				// eslint-disable-next-line no-control-regex
				expect(safe).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
				expect(Buffer.from(safe).toString()).toBe(safe);
			},
		),
		{ numRuns: 3000 },
	);
});
