import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { allocateGarbage } from '../../nodes/VoiceSpeech/streams/forwardReader.ts';
import { settle } from '../support/waiting.mts';

const megabyte = 1024 ** 2;

/** V8's young generation has at most this size, in bytes. */
const maxYoungGeneration = 128 * megabyte;

/** The types of Node 20's globals have no details. */
const isMinor = (entry: PerformanceEntry) =>
	(entry as unknown as { detail: { kind: number } }).detail.kind ===
	constants.NODE_PERFORMANCE_GC_MINOR;

it('lets V8 collect its young objects while chunks pass, at any size of the young generation', async () => {
	const bytes = 256 * megabyte;
	const needed = (3 * bytes) / maxYoungGeneration;
	let collections = 0;
	const observer = new PerformanceObserver((list) => {
		collections += list.getEntries().filter(isMinor).length;
	});
	observer.observe({ entryTypes: ['gc'] });
	try {
		for (let passed = 0; passed < bytes; passed += 64 * 1024) {
			allocateGarbage(64 * 1024);
			if (passed % megabyte === 0) await settle();
		}
		// Node reports collections in later turns.
		await waitUntil(() => collections >= needed);
	} finally {
		observer.disconnect();
	}
});
