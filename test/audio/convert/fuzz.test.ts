import { convertDamagedFiles } from '../../support/media/damagedFiles';

it('refuses each of 1,000 mutated files, or converts it to the length that was found', async () => {
	await convertDamagedFiles(1000);
}, 600_000);
