/** Video without a container. */
type VideoStream = 'H.264' | 'HEVC' | 'MPEG video' | 'MPEG-4 video';

/** What follows a start code: the first byte of a unit, and the second. */
interface Unit {
	first: number;
	second: number;
}

const startCode = Buffer.from('000001', 'hex');

/** The units of a stream that starts with one. Zeros may precede a start code (ITU-T H.264, annex B). */
function listUnits(bytes: Buffer): Unit[] {
	const units: Unit[] = [];
	let offset = bytes.indexOf(startCode);
	if (offset !== 0 && (offset !== 1 || bytes[0] !== 0)) return units;
	while (offset !== -1 && offset + startCode.length + 2 <= bytes.length) {
		const start = offset + startCode.length;
		units.push({ first: bytes[start]!, second: bytes[start + 1]! });
		offset = bytes.indexOf(startCode, start);
	}
	return units;
}

type UnitTest = (unit: Unit) => boolean;

/** Creates a test for a unit of H.264 (ITU-T H.264, 7.3.1), of which all bits but two of importance are given. */
function createH264Test(type: number): UnitTest {
	return ({ first }) => (first & 0x9f) === type;
}

/** Creates a test for a unit of HEVC in the base layer (ITU-T H.265, 7.3.1.2). */
function createHevcTest(type: number): UnitTest {
	return ({ first, second }) => first === type << 1 && second > 0 && second < 8;
}

/**
 * What each kind of stream starts with. All of it must be there, because raw samples may contain a start code: the sets of
 * parameters of H.264 and HEVC; the header of a sequence and what may follow it (ISO/IEC 11172-2 and 13818-2, 6.2); an
 * object and its layer (ISO/IEC 14496-2, 6.2).
 */
const requiredUnits: Array<[VideoStream, UnitTest[]]> = [
	['H.264', [createH264Test(7), createH264Test(8)]],
	['HEVC', [createHevcTest(32), createHevcTest(33), createHevcTest(34)]],
	[
		'MPEG video',
		[({ first }) => first === 0xb3, ({ first }) => [0, 0xb2, 0xb5, 0xb8].includes(first)],
	],
	[
		'MPEG-4 video',
		[({ first }) => first < 0x20 || first === 0xb0, ({ first }) => first >> 4 === 2],
	],
];

/** Recognizes video without a container by the start of the file. */
export function findVideoStream(bytes: Buffer): VideoStream | undefined {
	const units = listUnits(bytes);
	const found = requiredUnits.find(([, tests]) => tests.every((test) => units.some(test)));
	return found?.[0];
}
