import { createReader } from '../../support/media/conversion.mts';

it.each([
	{ length: 5, skipped: 5, next: 'f' },
	{ length: 10, skipped: 8, next: '' },
	{ length: Infinity, skipped: 8, next: '' },
])('returns $skipped after skipping $length of 8 bytes', async ({ length, skipped, next }) => {
	const reader = createReader(Buffer.from('abcdefgh'), 3);
	expect(await reader.skip(length)).toBe(skipped);
	expect(reader.position).toBe(skipped);
	expect((await reader.read(1)).toString()).toBe(next);
});
