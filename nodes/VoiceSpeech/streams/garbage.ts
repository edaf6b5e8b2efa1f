/** Bytes of garbage to allocate per byte of external memory, so that V8 collects its young objects in time. */
const garbagePerByte = 3;

const zeros = Buffer.alloc(64 * 1024);

/**
 * Allocates short-lived strings so that V8 frees a stream's chunks during the transfer. The chunks are external memory:
 * they add almost nothing to V8's young generation, so V8 frees them only by marking n8n's entire heap, after every
 * 64 MB. Young collections free them earlier and cost less: dev/bench/README.md has the processor time with and without.
 * It can go when `npm run bench` shows no difference without it on the oldest supported Node.
 *
 * @param bytes of external memory that passes
 */
export function allocateGarbage(bytes: number): void {
	let left = garbagePerByte * bytes;
	while (left > 0) {
		zeros.toString('latin1', 0, left);
		left -= zeros.length;
	}
}
