import {
	packets,
	sizes,
	createStco,
	createStsc,
	createStsz,
	createStts,
	createTrackBox,
	videoTrack,
} from '../../support/media/movies.mts';
import { createBox, u32 } from '../../support/media/isobmff.mts';
import {
	damaged,
	describedTrack,
	readMovieFileObstacle,
	scanMovieFile,
} from '../../support/media/scannedMovies.mts';

describe('reading a fragmented video', () => {
	const [first, second] = [packets.slice(0, 3), packets.slice(3)];
	const video = Buffer.alloc(30, 'video');
	const extension = createBox(
		'mvex',
		createBox('mehd', u32(0, 0)),
		createBox('trex', u32(0, 9, 1, 1, 30, 0)),
		createBox('trex', u32(0, 1, 1, 1024, 5, 0)),
	);
	const start = Buffer.concat([
		createBox('ftyp', 'iso5', u32(512)),
		createBox(
			'moov',
			videoTrack,
			createTrackBox({ tables: [createStts(), createStsc(), createStsz([]), createStco([])] }),
			extension,
		),
	]);
	const listLengths = (list: Buffer[]) => list.map(({ length }) => length);
	const createTfhd = (flags: number, ...fields: number[]) =>
		createBox('tfhd', u32(flags, 1, ...fields));

	/** Makes the boxes of a fragment from its length and its offset in the file. */
	type MakeBoxes = (length: number, offset: number) => Buffer[];

	/** `moof` and `mdat`. */
	function createFragment(offset: number, makeBoxes: MakeBoxes, data: Buffer[]): Buffer {
		const { length } = createBox('moof', ...makeBoxes(0, 0));
		return Buffer.concat([
			createBox('moof', ...makeBoxes(length, offset)),
			createBox('mdat', ...data),
		]);
	}

	const createTraf = (...boxes: Buffer[]) => createBox('traf', ...boxes);
	const createTrun = (flags: number, ...fields: number[]) =>
		createBox('trun', u32(flags, ...fields));
	const createUsualBoxes = (list: Buffer[]) => (length: number) => [
		createTraf(
			createTfhd(0x20000),
			createTrun(0x201, list.length, length + 8, ...listLengths(list)),
		),
	];

	const files: Array<{ what: string; one: MakeBoxes; two: MakeBoxes }> = [
		{
			what: 'with offsets from the fragment',
			one: createUsualBoxes(first),
			two: createUsualBoxes(second),
		},
		{
			what: 'with absolute offsets',
			one: (length, offset) => [
				createTraf(createTfhd(1, 0, offset), createTrun(0x201, 3, length + 8, 5, 6, 7)),
			],
			two: (length, offset) => [
				createTraf(createTfhd(1, 0, offset + length), createTrun(0x201, 4, 8, 8, 9, 10, 11)),
			],
		},
		{
			what: 'with several runs and all fields',
			one: (length) => [
				createTraf(
					createTfhd(0x2000a, 1, 1024),
					createTrun(0x305, 1, length + 8, 0, 1024, 5),
					createTrun(0xe00, 2, 6, 0, 0, 7, 0, 0),
				),
			],
			two: (length) => [
				createTraf(
					createTfhd(0x20038, 1024, 8, 0),
					createTrun(1, 1, length + 8),
					createTrun(0x200, 3, 9, 10, 11),
				),
			],
		},
	];

	it.each(files)('finds the packets $what', async ({ one, two }) => {
		const head = Buffer.concat([start, createFragment(start.length, one, first)]);
		const file = Buffer.concat([
			head,
			createBox('free'),
			createFragment(head.length + 8, two, second),
		]);
		expect(await scanMovieFile(file)).toMatchObject(describedTrack);
		expect(await scanMovieFile(file, packets, 1)).toMatchObject(describedTrack);
	});

	it('takes a negative duration for one tick', async () => {
		const createBoxes = (length: number) => [
			createTraf(
				createTfhd(0x20000),
				createTrun(0x301, 3, length + 8, 1024, 5, 0xfffffff0, 6, 1024, 7),
			),
		];
		const file = Buffer.concat([start, createFragment(start.length, createBoxes, first)]);
		expect((await scanMovieFile(file, first)).durations).toEqual(
			Uint32Array.of(1, 1024, 1, 1, 1, 1024),
		);
	});

	it('finds the packets of fragments in which one track follows the other', async () => {
		const createBoxes = (length: number) => [
			createTraf(createBox('tfhd', u32(0, 9)), createTrun(1, 2, length + 8)),
			createTraf(createBox('tfhd', u32(0, 9)), createTrun(0x200, 2, 4, 6)),
			createTraf(createTfhd(0), createTrun(0x200, 7, ...sizes)),
		];
		const data = [video, video, Buffer.alloc(10), ...packets];
		expect(
			await scanMovieFile(Buffer.concat([start, createFragment(start.length, createBoxes, data)])),
		).toMatchObject(describedTrack);
	});

	it('finds the packets of fragments that are stored before their header', async () => {
		const one = createBox('mdat', ...packets);
		const total = one.length - 8;
		const two = [createTraf(createTfhd(0x20000), createTrun(0x201, 7, 2 ** 32 - total, ...sizes))];
		expect(
			await scanMovieFile(Buffer.concat([start, one, createBox('moof', ...two)])),
		).toMatchObject(describedTrack);
	});

	it('finds the packets of fragments that use the defaults of the track', async () => {
		const createBoxes = (length: number) => [
			createTraf(createTfhd(0x20000), createTrun(1, 2, length + 8)),
		];
		const list = [packets[0]!, Buffer.alloc(5)];
		await scanMovieFile(
			Buffer.concat([start, createFragment(start.length, createBoxes, list)]),
			list,
		);
	});

	it('finds the packets of a recording that was not finished', async () => {
		const one = createFragment(start.length, createUsualBoxes(first), first);
		const whole = Buffer.concat([
			start,
			one,
			createFragment(start.length + one.length, createUsualBoxes(second), second),
		]);
		await scanMovieFile(whole.subarray(0, start.length + one.length + 20), first);
		await scanMovieFile(whole.subarray(0, -1), packets.slice(0, 6));
		await scanMovieFile(Buffer.concat([start, one, u32(3, 3, 3)]), first);
	});

	it.each<{ what: string; boxes: Buffer[] }>([
		{
			what: 'a run that is shorter than its packets',
			boxes: [createTraf(createTfhd(0x20000), createTrun(0x200, 9, 1))],
		},
		{ what: 'a track without a header', boxes: [createTraf(createTrun(0x200, 1, 1))] },
		{
			what: 'a run without a number',
			boxes: [createTraf(createTfhd(0x20000), createBox('trun', u32(0)))],
		},
	])('reports $what as damage', async ({ boxes }) => {
		expect(
			await readMovieFileObstacle(Buffer.concat([start, createBox('moof', ...boxes)])),
		).toEqual(damaged);
	});

	it.each([
		{ what: 'of the track', id: 1 },
		{ what: 'of another track', id: 9 },
	])('does not count the packets of a fragment with a huge number $what', async ({ id }) => {
		const boxes = [createTraf(createBox('tfhd', u32(0x20010, id, 0)), createTrun(0, 0xffffffff))];
		const file = Buffer.concat([start, createBox('moof', ...boxes)]);
		expect(await readMovieFileObstacle(file)).toEqual({
			kind: id === 1 ? 'tooManyPackets' : 'noAudio',
		});
	});
});
