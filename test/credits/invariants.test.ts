import { assertInvariants, interleavings } from './invariants/run';

it('keeps the promises about credits in random interleavings', async () => {
	await assertInvariants(interleavings(150));
}, 3_600_000);
