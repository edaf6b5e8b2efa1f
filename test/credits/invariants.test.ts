import { assertInvariants } from './invariants/property';

it('keeps the promises about credits in random interleavings', async () => {
	await assertInvariants(300);
}, 120_000);
