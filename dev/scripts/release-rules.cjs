/** What must be true of the texts of this repository before npm gets a release of it. */

/** Texts that are right only before the first release, with what to do about them. @type {[RegExp, string][]} */
const BEFORE_RELEASE = [
	[/\bnot (yet )?(on|published (on|to)) npm\b/i, 'states that the package is not on npm'],
	[
		/\b(once|until) the package is (published|on npm)\b|\bReleases will be at\b/i,
		'announces the first release',
	],
	[/maintainers@[\w.-]*\.example\b/, 'contains the placeholder for the address of the maintainers'],
	[/\bplaceholders until the owner\b/, 'states that addresses are placeholders'],
];

/**
 * @param {object} release
 * @param {string} release.tag like v1.2.3
 * @param {{version: string, homepage: string}} release.manifest package.json
 * @param {Map<string, string>} release.texts the documents, package.json and the source, by their paths
 * @param {string} [release.repository] `owner/name` on GitHub, where that is known
 * @returns {string[]} a sentence for each fault
 */
function findReleaseFaults({ tag, manifest: { version, homepage }, texts, repository }) {
	const faults = [];
	if (tag !== `v${version}`) faults.push(`The tag is ${tag}, but package.json has ${version}.`);
	const heading = new RegExp(
		`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`,
		'm',
	);
	if (!heading.test(texts.get('CHANGELOG.md') ?? '')) {
		faults.push(`CHANGELOG.md has no section "## [${version}] - <date>".`);
	}
	if (repository !== undefined && homepage !== `https://github.com/${repository}`) {
		faults.push(
			`The homepage in package.json is ${homepage}, not https://github.com/${repository}.`,
		);
	}
	for (const [file, text] of texts) {
		for (const [pattern, fault] of BEFORE_RELEASE) {
			if (pattern.test(text.replace(/\s+/g, ' '))) faults.push(`${file} ${fault}.`);
		}
	}
	return faults;
}

module.exports = { findReleaseFaults };
