/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import path from 'node:path';

import { ROOT, run } from '../package/repository';

interface Rooms {
	floors: string[][];
	arrows: Array<{ from: string; to: string; imports: number }>;
	circular: string[];
	strangers: string[];
}

/** In a process of its own: jest loads no ES modules. */
function readRooms(): Rooms {
	const script = path.join(ROOT, 'scripts/docs/rooms.mjs');
	const program = `
		import { floors, readRooms } from ${JSON.stringify(script)};
		const { arrows, ...others } = await readRooms(${JSON.stringify(ROOT)});
		console.log(JSON.stringify({ floors, arrows: [...arrows.values()], ...others }));`;
	return JSON.parse(run(process.execPath, ['--input-type=module', '--eval', program])) as Rooms;
}

describe('the rooms of the package', () => {
	const { floors, arrows, circular, strangers } = readRooms();
	const floorOf = (room: string) => floors.findIndex((floor) => floor.includes(room));

	it('are all on a floor, and are used', () => {
		const rooms = new Set(arrows.flatMap(({ from, to }) => [from, to]));
		expect([...rooms].sort()).toEqual(floors.flat().sort());
	});

	it('know only rooms of lower floors', () => {
		expect(arrows.length).toBeGreaterThan(15);
		expect(arrows.filter(({ from, to }) => floorOf(from) >= floorOf(to))).toEqual([]);
	});

	it('have no files that import each other in a circle', () => {
		expect(circular).toEqual([]);
	});

	it('import n8n-workflow and nothing else', () => {
		expect(strangers).toEqual([]);
	});
});
