export interface Release {
	/** Such as v1.2.3. */
	tag: string;
	/** The version in package.json. */
	version: string;
	/** The documents, package.json and the source, by their paths. */
	texts: Map<string, string>;
}

/** Texts that are right only before the first release. */
const beforeRelease = [
	/\bnot (yet )?(on|published (on|to)) npm\b/i,
	/\b(once|until) the package is (published|on npm)\b/i,
	/\bno release yet\b/i,
	/\bdoes not exist yet\b/i,
	/\bmaintainers@[\w.-]*\.example\b/,
	/\bplaceholders until the owner\b/,
];

/**
 * Finds what must change before npm gets a release.
 *
 * @returns a sentence for each fault
 */
export function findReleaseFaults({ tag, version, texts }: Release): string[] {
	const faults: string[] = [];
	if (tag !== `v${version}`) faults.push(`The tag is ${tag}, but package.json has ${version}.`);
	const heading = `## [${version}] - `;
	if (!texts.get('CHANGELOG.md')?.includes(heading)) {
		faults.push(`CHANGELOG.md has no section "${heading}<date>".`);
	}
	for (const [file, text] of texts) {
		for (const pattern of beforeRelease) {
			const [found] = pattern.exec(text.replace(/\s+/g, ' ')) ?? [];
			if (found) {
				faults.push(`${file} has "${found}", which is right only before the first release.`);
			}
		}
	}
	return faults;
}
