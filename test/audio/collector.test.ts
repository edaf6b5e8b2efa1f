/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const megabyte = 1024 ** 2;

/** V8 gives its young objects at most this much room, in bytes. */
const widestYoungGeneration = 128 * megabyte;

/** From one look at whether the strings are of use to the next, in bytes. */
const span = 384 * megabyte;

/** The types of Node 20's globals know no details. */
const gcDetail = (entry: PerformanceEntry) =>
	(entry as unknown as { detail: { kind: number } }).detail;

setFlagsFromString('--expose-gc');
const collectWholeHeap = runInNewContext('gc') as () => void;

type Pace = typeof import('../../nodes/VoiceSpeech/audio/collector').paceCollector;

let paceCollector: Pace;

/** Stands still, so that a busy machine makes no pauses. */
let clock = Date.now();

beforeEach(async () => {
	jest.spyOn(Date, 'now').mockImplementation(() => clock);
	jest.resetModules();
	({ paceCollector } = await import('../../nodes/VoiceSpeech/audio/collector'));
});

/** @returns how often V8 looked after its young objects meanwhile */
async function youngCollectionsDuring(action: () => Promise<void>): Promise<number> {
	let collections = 0;
	const observer = new PerformanceObserver((list) => {
		for (const { kind } of list.getEntries().map(gcDetail)) {
			if (kind === constants.NODE_PERFORMANCE_GC_MINOR) collections++;
		}
	});
	observer.observe({ entryTypes: ['gc'] });
	await action();
	await sleep(50);
	observer.disconnect();
	return collections;
}

/** Chunks of a recording pass; V8 goes through the whole heap so often, evenly among them. */
async function pass(bytes: number, wholeHeapCollections = 0) {
	const chunk = 64 * 1024;
	const between = bytes / (wholeHeapCollections + 1);
	for (let passed = chunk, next = between; passed <= bytes; passed += chunk) {
		if (passed > next) {
			collectWholeHeap();
			// V8 tells of it in a task of its own.
			await sleep(5);
			next += between;
		}
		paceCollector(chunk);
		if (passed % megabyte === 0) await turn();
	}
}

/** What the strings bring about at least. */
const expected = (bytes: number) => (3 * bytes) / widestYoungGeneration;

test('while a recording passes, V8 looks after its young objects, whatever room they have', async () => {
	const bytes = 256 * megabyte;

	const collections = await youngCollectionsDuring(async () => await pass(bytes));

	expect(collections).toBeGreaterThanOrEqual(expected(bytes));
});

test('where V8 goes through the whole heap all the same, it is left alone', async () => {
	await pass(span, 6);

	const bytes = 8 * span;
	const collections = await youngCollectionsDuring(async () => await pass(bytes));

	// Some come about by the test's own promises.
	expect(collections).toBeLessThan(expected(bytes) / 4);
});

test.each([
	['one long recording', 32 * span],
	['many recordings with pauses between them', span / 2],
])('after a while it is tried again: %s', async (_what, length) => {
	await pass(span, 6);
	const bytes = 32 * span;
	const whileLeftAlone = await youngCollectionsDuring(async () => {
		for (let passed = 0; passed < bytes; passed += length) {
			await pass(length);
			clock += 1_100;
		}
	});

	const after = await youngCollectionsDuring(async () => await pass(span));

	expect(whileLeftAlone).toBeLessThan(expected(bytes) / 4);
	expect(after).toBeGreaterThanOrEqual(expected(span));
});

test('what V8 does for other reasons changes nothing: now and then', async () => {
	await pass(span, 3);

	const collections = await youngCollectionsDuring(async () => await pass(span));

	expect(collections).toBeGreaterThanOrEqual(expected(span));
});

test('what V8 does for other reasons changes nothing: between two recordings', async () => {
	await pass(span / 2);
	for (let count = 0; count < 8; count++) {
		collectWholeHeap();
		await sleep(5);
	}
	clock += 1_100;
	await pass(span - span / 2);
	await pass(span / 2);

	const collections = await youngCollectionsDuring(async () => await pass(span));

	expect(collections).toBeGreaterThanOrEqual(expected(span));
});

test('V8 looking at its young objects counts as nothing', async () => {
	const { wholeHeapCollections } = await import('../../nodes/VoiceSpeech/audio/wholeHeap');
	collectWholeHeap();
	await sleep(5);
	const before = wholeHeapCollections();

	const young = await youngCollectionsDuring(async () => await pass(span));
	// The heap of a test is small, and seldom gone through.
	expect(young).toBeGreaterThan(5);
	expect(wholeHeapCollections() - before).toBeLessThan(young / 2);

	collectWholeHeap();
	await sleep(5);
	expect(wholeHeapCollections()).toBeGreaterThan(before);
});
