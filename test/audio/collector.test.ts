/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { paceCollector } from '../../nodes/VoiceSpeech/audio/collector';

/** V8 gives its young objects at most this much room, in bytes. */
const widestYoungGeneration = 128 * 1024 ** 2;

/** The types of Node 20's globals know no details. */
const gcDetail = (entry: PerformanceEntry) =>
	(entry as unknown as { detail: { kind: number } }).detail;

test('while a recording passes, V8 looks after its young objects, whatever room they have', async () => {
	let collections = 0;
	const observer = new PerformanceObserver((list) => {
		for (const { kind } of list.getEntries().map(gcDetail)) {
			if (kind === constants.NODE_PERFORMANCE_GC_MINOR) collections++;
		}
	});
	observer.observe({ entryTypes: ['gc'] });
	const chunk = 64 * 1024;
	const passed = 256 * 1024 ** 2;

	for (let count = 0; count < passed; count += chunk) paceCollector(chunk);

	await sleep(50);
	observer.disconnect();
	expect(collections).toBeGreaterThanOrEqual((3 * passed) / widestYoungGeneration);
});
