import { readRepositoryFile } from '../support/repository.mts';

/** What the checks prove, if they all succeed. */
const proven: string[] = [];

const describeProof = (what: string, outcome: string, version: string) =>
	`${what}: ${outcome} in ${version}`;

/** Like `it`, but with a line of the table. */
export type Check = (what: string, test: () => Promise<void>) => void;

/**
 * The function for the tests of a version.
 *
 * @param outcome the cell of the table, which the success of the test proves; several tests of one version share it
 */
export function createCheck(version: string, outcome = 'yes'): Check {
	return (what, test) => {
		proven.push(describeProof(what, outcome, `n8n ${version}`));
		it(what, test);
	};
}

/** Expects the table of docs/development/compatibility.md to list what the checks prove, and nothing else. */
export function compareCompatibilityTable(): void {
	const [beginning] = readRepositoryFile('docs/development/compatibility.md').split('\n## ');
	const rows = beginning!
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.map(([, what, ...cells]) => ({ what: what!, cells: cells.slice(0, -1) }));
	const [{ cells: versions }, , ...checks] = rows as [(typeof rows)[0], ...typeof rows];
	const listed = checks.flatMap(({ what, cells }) =>
		cells.flatMap((cell, index) =>
			cell.split(', ').map((outcome) => describeProof(what, outcome, versions[index]!)),
		),
	);
	expect(listed.sort()).toEqual(proven.sort());
}
