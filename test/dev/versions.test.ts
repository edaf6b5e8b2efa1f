import { findClosestVersion, newest, versions } from '../../dev/n8n/versions.mts';
import { n8nVersions } from '../support/n8nVersions';

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
