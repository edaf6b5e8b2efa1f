/** What npm would show with the package forever, and is right only before the first release. */
const beforeRelease = [
	/\bnot (yet )?(on|published (on|to)) npm\b/i,
	/\bmaintainers@[\w.-]*\.example\b/,
];

/**
 * Finds what must change before npm gets a release.
 *
 * @param tag such as v1.2.3
 * @param read returns the content of a file
 * @returns a sentence for each fault
 */
export function findReleaseFaults(tag: string, read: (file: string) => string): string[] {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const faults: string[] = [];
	if (tag !== `v${version}`) faults.push(`The tag is ${tag}, but package.json has ${version}.`);
	const heading = `## [${version}] - `;
	if (!read('CHANGELOG.md').includes(heading)) {
		faults.push(`CHANGELOG.md has no section "${heading}<date>".`);
	}
	for (const file of ['README.md', 'package.json']) {
		const text = read(file).replace(/\s+/g, ' ');
		for (const pattern of beforeRelease) {
			const [found] = pattern.exec(text) ?? [];
			if (found) faults.push(`${file} has "${found}", which is wrong in a release.`);
		}
	}
	return faults;
}
