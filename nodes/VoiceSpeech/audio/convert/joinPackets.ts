/** How much is passed on at a time, in bytes. */
export const chunkBytes = 64 * 1024;

/** Joins packets to chunks of {@link chunkBytes} or more, because each chunk has a cost of its own. */
export async function* joinPackets(packets: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
	let parts: Uint8Array[] = [];
	let length = 0;
	for await (const packet of packets) {
		parts.push(packet);
		length += packet.length;
		if (length < chunkBytes) continue;
		yield Buffer.concat(parts);
		parts = [];
		length = 0;
	}
	if (length > 0) yield Buffer.concat(parts);
}
