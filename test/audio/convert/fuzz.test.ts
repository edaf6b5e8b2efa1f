import { convertMutations } from '../../support/mutations';

it('refuses a mutated file, or converts it to the length that was found', async () => {
	await convertMutations(2000);
}, 600_000);
