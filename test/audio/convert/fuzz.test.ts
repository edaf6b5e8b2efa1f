import { convertMutations } from '../../support/mutations';

it('mutated files are refused, or have the length that was found', async () => {
	await convertMutations(2000);
}, 600_000);
