import { assertInvariants } from '../credits/invariants/run';

it('keeps the promises about credits in many random interleavings', async () => {
	await assertInvariants(10_000);
}, 3_600_000);
