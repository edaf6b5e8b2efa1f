import { findClosestVersion, newest, versions } from '../../dev/n8n/versions.mts';

it('uses the settings of the closest version of n8n that has a folder', () => {
	expect(versions.map((one) => findClosestVersion(one))).toEqual(versions);
	expect(findClosestVersion('0.1.0')).toBe(versions.at(-1));
	expect(findClosestVersion('99.0.0')).toBe(newest);
	expect(findClosestVersion('1.200.0')).toBe('1.123.81');
});
