import { convertDamagedFiles } from '../../support/media/damagedFiles';

it('refuses a mutated file, or converts it to the length that was found', async () => {
	await convertDamagedFiles(1000);
}, 600_000);
