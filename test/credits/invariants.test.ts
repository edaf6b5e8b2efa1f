import { assertInvariants } from './invariants/run';

it('keeps the promises about credits in random interleavings', async () => {
	await assertInvariants(200);
}, 120_000);
