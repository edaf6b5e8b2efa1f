import { convertDamagedFiles } from '../../support/media/damagedFiles';

// fuzz.test.ts tries more of them.
it('refuses each of 150 mutated files, or converts it to the length that was found', async () => {
	await convertDamagedFiles(150);
});
