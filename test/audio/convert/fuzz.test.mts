import { bases, convertDamagedCopies } from '../../support/media/damagedFiles.mts';

it.each(bases)(
	'converts 300 damaged copies of $what to the length that was declared, or rejects them',
	async (base) => await convertDamagedCopies(base, 300),
	600_000,
);
