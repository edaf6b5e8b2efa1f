import { findReleaseFaults } from '../../dev/scripts/releaseRules.mts';

describe('release:check --tag', () => {
	const ready: Record<string, string> = {
		'CHANGELOG.md': '## [1.2.3] - 2030-01-31',
		'README.md': '# The node',
		'package.json': '{ "version": "1.2.3" }',
	};
	const find = (tag: string, changes: Record<string, string> = {}) =>
		findReleaseFaults(tag, (file) => changes[file] ?? ready[file]!);

	it('accepts a release that is ready', () => {
		expect(find('v1.2.3')).toEqual([]);
	});

	it('refuses another version in the tag', () => {
		expect(find('v1.2.4')).toEqual(['The tag is v1.2.4, but package.json has 1.2.3.']);
	});

	it.each([
		{
			what: 'no section in the changelog',
			file: 'CHANGELOG.md',
			text: '## Unreleased',
			fault: 'CHANGELOG.md has no section "## [1.2.3] - <date>".',
		},
		{
			what: 'a README that calls the package unpublished',
			file: 'README.md',
			text: 'It is not\non npm yet.',
			fault: 'README.md has "not on npm"',
		},
		{
			what: 'a placeholder for an address',
			file: 'package.json',
			text: `{ "version": "1.2.3", "author": "<maintainers${'@'}a.example>" }`,
			fault: 'package.json has "maintainers',
		},
	])('refuses a release with $what', ({ file, text, fault }) => {
		expect(find('v1.2.3', { [file]: text })).toEqual([expect.stringContaining(fault)]);
	});
});
