/** In bytes. A longer one is a whole file, which is held until all of it is sent. */
const longestChunk = 1024 * 1024;

const blank = Buffer.alloc(64 * 1024);

/** How often Node holds a chunk that comes over HTTP: as it was received, and as part of the body. */
export const copiesOverHttp = 2;

/** How much short-lived heap is made for each byte outside of it. */
const ratio = 3;

/**
 * Lets V8 free the chunks of a stream while it runs. They lie outside of V8's heap and leave next to nothing in it:
 * so V8 does not look after its young objects, but waits until 64 MB lie outside, and then goes through all of
 * n8n's heap, ten times in a second. Memory grows by 100 MB and more, and most of the time of a transfer goes into
 * that (bench/README.md). Short strings make it look earlier, and only at what is young.
 *
 * @param outside what a chunk takes outside of the heap, in bytes
 */
export function paceCollector(outside: number): void {
	for (let left = ratio * Math.min(outside, longestChunk); left > 0; left -= blank.length) {
		blank.toString('latin1', 0, left);
	}
}
