import { assertInvariants, interleavings } from '../credits/invariants/run';

it('keeps the promises about credits in many random interleavings', async () => {
	await assertInvariants(interleavings(1_000));
}, 3_600_000);
