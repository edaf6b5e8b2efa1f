import { assertInvariants, readInterleavings } from '../credits/invariants/run';

it('keeps the promises about credits in many random interleavings', async () => {
	await assertInvariants(readInterleavings(1_000));
}, 3_600_000);
