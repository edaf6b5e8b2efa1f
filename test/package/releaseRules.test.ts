import { findReleaseFaults } from '../../dev/scripts/releaseRules.mts';

describe('release:check --tag', () => {
	const release = {
		tag: 'v1.2.3',
		version: '1.2.3',
		texts: new Map([['CHANGELOG.md', '## [1.2.3] - 2030-01-31']]),
	};
	const replaceReadme = (text: string) => ({
		texts: new Map([...release.texts, ['README.md', text]]),
	});

	it('accepts a release that is ready', () => {
		expect(findReleaseFaults(release)).toEqual([]);
	});

	it.each([
		{
			what: 'another version in its tag',
			change: { tag: 'v1.2.4' },
			fault: 'The tag is v1.2.4, but package.json has 1.2.3.',
		},
		{
			what: 'no section in the changelog',
			change: { texts: new Map() },
			fault: 'CHANGELOG.md has no section "## [1.2.3] - <date>".',
		},
		{
			what: 'a README that calls the package unpublished',
			change: replaceReadme('It is not\non npm yet.'),
			fault: 'README.md has "not on npm"',
		},
		{
			what: 'a README that announces the package',
			change: replaceReadme('Once the package is published'),
			fault: 'README.md has "Once the package is published"',
		},
		{
			what: 'a README with a note for the time before npm has the package',
			change: replaceReadme('Until the\n  package is on npm'),
			fault: 'README.md has "Until the package is on npm"',
		},
		{
			what: 'a README that calls the package unreleased',
			change: replaceReadme('(A release to download it from\n   does not exist yet.)'),
			fault: 'README.md has "does not exist yet"',
		},
		{
			what: 'a placeholder for an address',
			change: replaceReadme(`<maintainers${'@'}a.example>`),
			fault: 'README.md has "maintainers',
		},
		{
			what: 'a note about placeholders',
			change: replaceReadme('placeholders until the owner sets'),
			fault: 'README.md has "placeholders until the owner"',
		},
	])('refuses a release with $what', ({ change, fault }) => {
		expect(findReleaseFaults({ ...release, ...change })).toEqual([expect.stringContaining(fault)]);
	});
});
