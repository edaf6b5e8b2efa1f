import { wholeHeapCollections } from './wholeHeap';

const megabyte = 1024 * 1024;

/** In bytes. A longer one is a whole file, which is held until all of it is sent. */
const longestChunk = megabyte;

const blank = Buffer.alloc(64 * 1024);

/** How often Node holds a chunk that comes over HTTP: as it was received, and as part of the body. */
export const copiesOverHttp = 2;

/** How much short-lived heap is made for each byte outside of it. */
const ratio = 3;

/** After how many bytes outside of the heap it is looked whether the strings are of use. */
const spanLength = 384 * megabyte;

/** So often V8 may go through the whole heap in a span, for other reasons. Without the strings it is six times. */
const tolerated = 3;

/** For how many bytes outside of the heap strings that were of no use are left out. */
const restLength = 32 * spanLength;

/** In milliseconds. What V8 does in a longer pause has nothing to do with the chunks. */
const longestPause = 1_000;

const span = { outside: 0, collections: 0, lastAt: 0 };

let leftToRest = 0;

function beginSpan(): void {
	span.outside = 0;
	span.collections = wholeHeapCollections();
}

function endSpan(): void {
	if (wholeHeapCollections() - span.collections > tolerated) leftToRest = restLength;
	beginSpan();
}

function countIn(outside: number): void {
	const now = Date.now();
	if (now - span.lastAt > longestPause) beginSpan();
	span.lastAt = now;
	span.outside += outside;
	if (span.outside >= spanLength) endSpan();
}

/**
 * Lets V8 free the chunks of a stream while it runs. They lie outside of V8's heap and leave next to nothing in it:
 * so V8 does not look after its young objects, but waits until 64 MB lie outside, and then goes through all of
 * n8n's heap, ten times in a second. Memory grows by 100 MB and more, and most of the time of a transfer goes into
 * that. Short strings make it look earlier, and only at what is young. In some n8n processes chunks are held by what
 * is not young; the strings would only cost time there, and stay away (bench/README.md).
 *
 * @param outside what a chunk takes outside of the heap, in bytes
 */
export function paceCollector(outside: number): void {
	if (leftToRest > 0) {
		leftToRest -= outside;
		if (leftToRest <= 0) beginSpan();
		return;
	}
	countIn(outside);
	for (let left = ratio * Math.min(outside, longestChunk); left > 0; left -= blank.length) {
		blank.toString('latin1', 0, left);
	}
}
