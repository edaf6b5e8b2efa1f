/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { setImmediate } from 'node:timers/promises';

import { useNode } from '../support/node';
import { json, type Answer } from '../support/recorder';
import { ask, itemOf, modes, numbered, pairs, reset, tries, upTo, type Mode } from './till';

const node = useNode();

/** What the service says to one call. Busy: refused before any work, to be sent again at once. */
const says = ['ok', 'bad', 'key', 'wallet', 'scope', 'fault', 'busy', 'reset'] as const;
type Says = (typeof says)[number];

const status: Record<Exclude<Says, 'reset'>, number> = {
	ok: 200,
	bad: 400,
	key: 401,
	wallet: 402,
	scope: 403,
	fault: 500,
	busy: 429,
};

interface Call {
	item: number;
	says: Says;
}

/** A service that answers one call at a time, and only when all that was started has arrived. */
class Script {
	/** In the order in which they were answered. */
	readonly answered: Call[] = [];

	/** Calls that arrived, by how many had been answered before. */
	readonly arrivals: number[] = [];

	private readonly open: Array<{ item: number; reply: (answer: Answer) => void }> = [];

	private running = false;

	/**
	 * @param lines what is said to the calls, in the order of the answers; the last again and again: fine
	 * @param picks which of the calls under way is answered next
	 */
	constructor(
		private readonly lines: Says[],
		private readonly picks: number[],
	) {
		node.service.reset((request, response, index) => {
			this.arrivals.push(this.answered.length);
			const reply = (answer: Answer) => answer(request, response, index);
			this.open.push({ item: itemOf(request), reply });
			if (!this.running) void this.answerAll();
		});
	}

	private async answerAll(): Promise<void> {
		this.running = true;
		while (this.open.length > 0) {
			await this.quiet();
			const turn = this.answered.length;
			const [call] = this.open.splice((this.picks[turn] ?? 0) % this.open.length, 1);
			if (call === undefined) break;
			const line = this.lines[turn] ?? 'ok';
			this.answered.push({ item: call.item, says: line });
			const answer =
				line === 'reset'
					? reset
					: json({ item: call.item, message: line }, status[line], { 'Retry-After': '0' });
			call.reply(answer);
			await this.quiet();
		}
		this.running = false;
	}

	/** All that was started has arrived: node and service share this thread, so its turns are the measure. */
	private async quiet(): Promise<void> {
		for (let turns = 0, seen = this.arrivals.length; turns < 40; turns++) {
			await setImmediate();
			if (seen !== this.arrivals.length) turns = 0;
			seen = this.arrivals.length;
		}
		await sleep(2);
	}

	/** How many calls were started after the answer at this place had gone out. */
	startedAfter(place: number): number {
		return this.arrivals.filter((before) => before > place).length;
	}
}

const scenes = fc.record({
	count: fc.integer({ min: 1, max: 7 }),
	concurrency: fc.integer({ min: 1, max: 5 }),
	mode: fc.constantFrom<Mode>('stop', 'continue', 'error output'),
	lines: fc.array(
		fc.oneof(
			{ weight: 3, arbitrary: fc.constant<Says>('ok') },
			{ weight: 2, arbitrary: fc.constantFrom<Says>(...says) },
		),
		{ maxLength: 10 },
	),
	picks: fc.array(fc.nat(6), { maxLength: 20 }),
	retries: fc.integer({ min: 0, max: 2 }),
	maxTries: fc.constantFrom(1, 1, 2, 3),
});

/** Ends the run: any failure without continue, else the key or the wallet. */
function endsRun(line: Says, mode: Mode): boolean {
	return line !== 'ok' && (mode === 'stop' || line === 'key' || line === 'wallet');
}

it('keeps its rules over random answers', async () => {
	await fc.assert(
		fc.asyncProperty(scenes, async ({ count, concurrency, mode, maxTries, ...scene }) => {
			const script = new Script(scene.lines, scene.picks);
			const { items, errorItems, error } = await node.run(
				{ ...ask, options: { concurrency, rateLimitRetries: scene.retries } },
				{
					items: numbered(count),
					node: { ...modes[mode], ...(maxTries > 1 ? tries(maxTries) : {}) },
				},
			);
			const { answered } = script;
			const called = (item: number) => answered.filter((call) => call.item === item);

			// Never more at once.
			expect(node.service.mostAtOnce).toBeLessThanOrEqual(concurrency);

			for (const item of upTo(count)) {
				const of = called(item).map((call) => call.says);
				// Paid once at most, and nothing is called for after it was paid.
				expect(of.indexOf('ok')).toBe(of.includes('ok') ? of.length - 1 : -1);
				// No more failures than tries, and no more repetitions than allowed within each.
				const failures = of.filter((line) => line !== 'ok' && line !== 'busy').length;
				expect(failures).toBeLessThanOrEqual(maxTries);
				expect(of.length).toBeLessThanOrEqual(maxTries * (1 + scene.retries));
			}

			// No call after an answer that ends the run. Under Retry On Fail the next try may follow.
			const end = answered.findIndex(({ item, says: line }, place) => {
				const before = answered.slice(0, place).filter((call) => call.item === item).length;
				return endsRun(line, mode) && (line !== 'busy' || before === scene.retries);
			});
			if (end >= 0 && maxTries === 1) expect(script.startedAfter(end)).toBe(0);

			const out = [...items, ...errorItems];
			if (mode === 'stop') {
				// All or nothing, and the error is that of an item whose last answer was none that succeeded.
				expect(pairs(out)).toEqual(error === undefined ? upTo(count) : []);
				if (error !== undefined) {
					const { itemIndex = -1 } = error.context as { itemIndex?: number };
					expect(called(itemIndex).at(-1)?.says ?? 'not called').not.toBe('ok');
				}
				return;
			}
			// What concerns one item alone keeps no other from being called.
			if (end < 0) for (const item of upTo(count)) expect(called(item)).not.toEqual([]);
			// Every item comes out once, paired, and as what it became.
			expect(error).toBeUndefined();
			expect(pairs(out).map(Number).sort()).toEqual(upTo(count));
			for (const item of out) {
				const index = (item.pairedItem as { item: number }).item;
				const paid = called(index).at(-1)?.says === 'ok';
				expect(item.json.error === undefined).toBe(paid);
				if (paid) expect(item.json.item).toBe(index);
			}
			if (mode === 'error output') expect(items.every((item) => !item.json.error)).toBe(true);
		}),
		{ numRuns: 100, interruptAfterTimeLimit: 20_000 },
	);
}, 60_000);
