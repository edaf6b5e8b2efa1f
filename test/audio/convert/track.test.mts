import { PacketIndex } from '../../../nodes/VoiceSpeech/audio/convert/isobmff/packetIndex.ts';
import { PacketSizes } from '../../../nodes/VoiceSpeech/audio/convert/track.ts';

const tooMany = expect.objectContaining({ obstacle: { kind: 'tooManyPackets' } }) as Error;

it('takes 5,000,000 packets, and no more', () => {
	const sizes = new PacketSizes();
	for (let count = 0; count < 5_000_000; count++) sizes.add(1);
	expect(sizes.totalBytes).toBe(5_000_000);
	expect(() => sizes.add(1)).toThrow(tooMany);
});

it('takes 1,000,000 durations of MP4 in a row, and no more', () => {
	const packets = new PacketIndex();
	for (let count = 0; count < 1_000_000; count++) packets.add(count, 1, 1023 + (count % 2));
	expect(packets.durations).toHaveLength(2_000_000);
	expect(packets.totalTicks).toBe(500_000 * (1023 + 1024));
	expect(() => packets.add(1_000_000, 1, 1023)).toThrow(tooMany);
});
