/** Bytes of garbage to allocate per byte of external memory, so that V8 collects its young objects in time. */
const garbagePerByte = 3;

const zeros = Buffer.alloc(64 * 1024);

/**
 * Allocates short-lived strings so that V8 frees a stream's chunks during the transfer. The chunks are external memory:
 * they add almost nothing to V8's young generation, so V8 frees them only by marking n8n's entire heap, after every
 * 64 MB (dev/bench/README.md). Young collections free them earlier and cost less: to store 1 GiB took 3.6 s of processor
 * time with this garbage and 15.0 s without, to send it 1.8 and 3.6 s (medians of three n8n processes).
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
