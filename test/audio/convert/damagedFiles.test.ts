import { convertDamagedFiles } from '../../support/media/damagedFiles';

// fuzz.test.ts tries more of them.
it('refuses a mutated file, or converts it to the length that was found', async () => {
	await convertDamagedFiles(150);
});
