import { bases, convertDamagedCopies } from '../../support/media/damagedFiles';

// fuzz.test.ts tries more of them.
it.each(bases)(
	'converts 60 damaged copies of $what to the length that was declared, or refuses them',
	async (base) => await convertDamagedCopies(base, 60),
);
