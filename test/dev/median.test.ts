import { computeMedian } from '../../dev/lib/median.mts';

it.each([
	{ what: 'of an odd number of values is the one in the middle', values: [10, 9, 2], median: 9 },
	{
		what: 'of an even number is the mean of the two in the middle',
		values: [10, 1, 4, 2],
		median: 3,
	},
	{ what: 'of one value is the value', values: [7], median: 7 },
	{ what: 'of no values is not a number', values: [], median: NaN },
])('the median $what', ({ values, median }) => {
	const given = [...values];
	expect(computeMedian(values)).toBe(median);
	expect(values).toEqual(given);
});
