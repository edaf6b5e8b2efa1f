import {
	packets,
	sizes,
	stco,
	stsc,
	stsz,
	stts,
	createTrackBox,
	videoTrack,
} from '../../support/media/films';
import { box, u32 } from '../../support/media/mp4';
import {
	damaged,
	describedTrack,
	findFilmObstacle,
	scanFilm,
} from '../../support/media/scannedFilms';

describe('a fragmented film', () => {
	const [first, second] = [packets.slice(0, 3), packets.slice(3)];
	const video = Buffer.alloc(30, 'video');
	const extension = box(
		'mvex',
		box('mehd', u32(0, 0)),
		box('trex', u32(0, 9, 1, 1, 30, 0)),
		box('trex', u32(0, 1, 1, 1024, 5, 0)),
	);
	const start = Buffer.concat([
		box('ftyp', 'iso5', u32(512)),
		box(
			'moov',
			videoTrack,
			createTrackBox({ tables: [stts(), stsc(), stsz([]), stco([])] }),
			extension,
		),
	]);
	const listed = (list: Buffer[]) => list.map(({ length }) => length);
	const header = (flags: number, ...fields: number[]) => box('tfhd', u32(flags, 1, ...fields));

	/** Makes the boxes of a fragment from its length and its offset in the file. */
	type MakeBoxes = (length: number, offset: number) => Buffer[];

	/** `moof` and `mdat`. */
	function fragment(offset: number, boxes: MakeBoxes, data: Buffer[]): Buffer {
		const { length } = box('moof', ...boxes(0, 0));
		return Buffer.concat([box('moof', ...boxes(length, offset)), box('mdat', ...data)]);
	}

	const traf = (...boxes: Buffer[]) => box('traf', ...boxes);
	const run = (flags: number, ...fields: number[]) => box('trun', u32(flags, ...fields));
	const usual = (list: Buffer[]) => (length: number) => [
		traf(header(0x20000), run(0x201, list.length, length + 8, ...listed(list))),
	];

	const files: Array<{ what: string; one: MakeBoxes; two: MakeBoxes }> = [
		{ what: 'with offsets from the fragment', one: usual(first), two: usual(second) },
		{
			what: 'with absolute offsets',
			one: (length, offset) => [traf(header(1, 0, offset), run(0x201, 3, length + 8, 5, 6, 7))],
			two: (length, offset) => [
				traf(header(1, 0, offset + length), run(0x201, 4, 8, 8, 9, 10, 11)),
			],
		},
		{
			what: 'with several runs and all fields',
			one: (length) => [
				traf(
					header(0x2000a, 1, 1024),
					run(0x305, 1, length + 8, 0, 1024, 5),
					run(0xe00, 2, 6, 0, 0, 7, 0, 0),
				),
			],
			two: (length) => [
				traf(header(0x20038, 1024, 8, 0), run(1, 1, length + 8), run(0x200, 3, 9, 10, 11)),
			],
		},
	];

	it.each(files)('finds the packets $what', async ({ one, two }) => {
		const head = Buffer.concat([start, fragment(start.length, one, first)]);
		const file = Buffer.concat([head, box('free'), fragment(head.length + 8, two, second)]);
		expect(await scanFilm(file)).toMatchObject(describedTrack);
		expect(await scanFilm(file, packets, 1)).toMatchObject(describedTrack);
	});

	it('finds the packets of fragments in which one track follows the other', async () => {
		const boxes = (length: number) => [
			traf(box('tfhd', u32(0, 9)), run(1, 2, length + 8)),
			traf(box('tfhd', u32(0, 9)), run(0x200, 2, 4, 6)),
			traf(header(0), run(0x200, 7, ...sizes)),
		];
		const data = [video, video, Buffer.alloc(10), ...packets];
		expect(
			await scanFilm(Buffer.concat([start, fragment(start.length, boxes, data)])),
		).toMatchObject(describedTrack);
	});

	it('finds the packets of fragments that are stored before their header', async () => {
		const one = box('mdat', ...packets);
		const total = one.length - 8;
		const two = [traf(header(0x20000), run(0x201, 7, 2 ** 32 - total, ...sizes))];
		expect(await scanFilm(Buffer.concat([start, one, box('moof', ...two)]))).toMatchObject(
			describedTrack,
		);
	});

	it('finds the packets of fragments that use the defaults of the track', async () => {
		const boxes = (length: number) => [traf(header(0x20000), run(1, 2, length + 8))];
		const list = [packets[0]!, Buffer.alloc(5)];
		await scanFilm(Buffer.concat([start, fragment(start.length, boxes, list)]), list);
	});

	it('finds the packets of a recording that was not finished', async () => {
		const one = fragment(start.length, usual(first), first);
		const whole = Buffer.concat([
			start,
			one,
			fragment(start.length + one.length, usual(second), second),
		]);
		await scanFilm(whole.subarray(0, start.length + one.length + 20), first);
		await scanFilm(whole.subarray(0, -1), packets.slice(0, 6));
		await scanFilm(Buffer.concat([start, one, u32(3, 3, 3)]), first);
	});

	it.each<{ what: string; boxes: Buffer[] }>([
		{
			what: 'a run that is shorter than its packets',
			boxes: [traf(header(0x20000), run(0x200, 9, 1))],
		},
		{ what: 'a track without a header', boxes: [traf(run(0x200, 1, 1))] },
		{ what: 'a run without a number', boxes: [traf(header(0x20000), box('trun', u32(0)))] },
	])('reports $what as damage', async ({ boxes }) => {
		expect(await findFilmObstacle(Buffer.concat([start, box('moof', ...boxes)]))).toEqual(damaged);
	});

	it.each([
		{ what: 'of the track', id: 1 },
		{ what: 'of another track', id: 9 },
	])('does not count the packets of a fragment with a huge number $what', async ({ id }) => {
		const boxes = [traf(box('tfhd', u32(0x20010, id, 0)), run(0, 0xffffffff))];
		const file = Buffer.concat([start, box('moof', ...boxes)]);
		expect(await findFilmObstacle(file)).toEqual(id === 1 ? damaged : { reason: 'noAudio' });
	});
});
