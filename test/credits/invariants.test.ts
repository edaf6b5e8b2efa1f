import { assertInvariants } from './invariants/run';

it('keeps the promises about credits in random interleavings', async () => {
	await assertInvariants(150);
}, 120_000);
