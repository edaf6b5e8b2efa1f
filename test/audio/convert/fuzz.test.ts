import { bases, convertDamagedCopies } from '../../support/media/damagedFiles';

it.each(bases)(
	'converts 300 damaged copies of $what to the length that was declared, or refuses them',
	async (base) => await convertDamagedCopies(base, 300),
	600_000,
);
