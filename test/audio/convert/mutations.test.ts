import { convertMutations } from '../../support/mutations';

// fuzz.test.ts tries more of them.
it('mutated files are refused, or have the length that was found', async () => {
	await convertMutations(150);
});
