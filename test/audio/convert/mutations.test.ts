import { convertMutations } from '../../support/mutations';

// fuzz.test.ts tries more of them.
it('refuses a mutated file, or converts it to the length that was found', async () => {
	await convertMutations(150);
}, 120_000);
