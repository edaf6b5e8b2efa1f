import { checkNewestMajor, findClosestVersion, newest, versions } from '../../dev/n8n/versions.mts';
import { n8nVersions } from '../support/n8nVersions.mts';

it('tests every n8n that has a folder', () => {
	expect(n8nVersions.map(({ version }) => version)).toEqual([...versions].reverse());
});

it('uses the settings of the closest version of n8n that has a folder', () => {
	expect(versions.map((one) => findClosestVersion(one))).toEqual(versions);
	const oldest = versions.at(-1)!;
	expect(findClosestVersion('0.1.0')).toBe(oldest);
	expect(findClosestVersion('99.0.0')).toBe(newest);
	const [major] = oldest.split('.');
	expect(findClosestVersion(`${major}.300.0`).split('.')[0]).toBe(major);
});

it.each(['n8n@2.42.0', 'n8n@2.41.1', 'n8n@1.124.0'])(
	'npm has the newest n8n if the newest release is %s',
	(released) => expect(() => checkNewestMajor('2.41.1', released)).not.toThrow(),
);

it.each([
	['n8n@3.0.0', 'n8n 3.0.0 is released, but npm has only 2.41.1: '],
	['n8n@10.1.0-rc.1', 'n8n 10.1.0-rc.1 is released, but npm has only 2.41.1: '],
	['', 'n8n\'s newest release is not known: "" '],
	['latest', 'n8n\'s newest release is not known: "latest" '],
])('the weekly check fails, and says why, if the newest release is "%s"', (released, message) => {
	expect(() => checkNewestMajor('2.41.1', released)).toThrow(message);
});
