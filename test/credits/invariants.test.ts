import { assertInvariants, readInterleavings } from './invariants/run';

it('keeps the promises about credits in random interleavings', async () => {
	await assertInvariants(readInterleavings(150));
}, 3_600_000);
