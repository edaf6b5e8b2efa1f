/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { Gate } from '../../nodes/VoiceSpeech/request/gate';

/** Lets everybody who waits go on. */
const settle = async () => await new Promise<void>((resolve) => setImmediate(resolve));

describe('the gate', () => {
	it('lets thousands through in their order, never more than allowed at once', async () => {
		const gate = new Gate(7);
		const passed: number[] = [];
		let inside = 0;
		let most = 0;
		const items = Array.from({ length: 2_600 }, async (_value, index) => {
			await gate.turn(index);
			passed.push(index);
			most = Math.max(most, ++inside);
			await settle();
			inside--;
			gate.leave();
		});
		await settle();
		expect(passed).toEqual([]);
		gate.open();
		await Promise.all(items);
		expect(passed).toEqual(Array.from({ length: 2_600 }, (_value, index) => index));
		expect(most).toBe(7);
	});

	it('puts one that comes late in front of higher items that still wait, even behind the first thousand', async () => {
		const gate = new Gate(1);
		const passed: number[] = [];
		const take = async (index: number) => {
			await gate.turn(index);
			passed.push(index);
		};
		const items = Array.from({ length: 1_100 }, async (_value, index) => await take(index * 2));
		gate.open();
		for (let turns = 0; turns < 1_050; turns++) {
			await settle();
			gate.leave();
		}
		await settle();
		const late = take(2_151);
		const last = passed.at(-1);
		gate.leave();
		await settle();
		expect(passed.at(-1)).toBe((last ?? 0) + 2);
		for (let turns = 0; turns < 50; turns++) {
			gate.leave();
			await settle();
		}
		await Promise.all([...items, late]);
		expect(passed).toEqual([...passed].sort((a, b) => a - b));
		expect(passed).toHaveLength(1_101);
	});

	it('lets one through that comes behind a higher item that is under way', async () => {
		const gate = new Gate(1);
		gate.open();
		await gate.turn(5);
		const late = gate.turn(3);
		gate.leave();
		await late;
		const last = gate.turn(4);
		gate.leave();
		await last;
	});

	it('lets all through once there is nothing left to limit', async () => {
		const gate = new Gate(1);
		const turns = [0, 1, 2].map(async (index) => await gate.turn(index));
		gate.openForAll();
		await Promise.all(turns);
		await gate.turn(3);
	});
});
