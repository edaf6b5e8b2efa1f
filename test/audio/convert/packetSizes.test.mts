import { PacketSizes } from '../../../nodes/VoiceSpeech/audio/convert/packetSizes.ts';

it('takes 5,000,000 packets, and no more', () => {
	const sizes = new PacketSizes();
	for (let count = 0; count < 5_000_000; count++) sizes.add(1);
	expect(sizes.totalBytes).toBe(5_000_000);
	expect(() => sizes.add(1)).toThrow(
		expect.objectContaining({ obstacle: { kind: 'tooManyPackets' } }) as Error,
	);
});
