import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import { versionsToTest } from '../support/n8nVersions.mts';

/** What is checked in which version, with the outcomes, in the order of the definitions. */
const checks = new Map<string, Map<string, Set<string>>>();

/** Checks that have not succeeded. */
const unproven = new Set<string>();

/** Like `it`, but with a line of the table. */
export type Check = (what: string, test: () => Promise<void>) => void;

/**
 * The function for the tests of a version.
 *
 * @param outcome the cell of the table, which the success of the test proves; several tests of one version share it
 */
export function createCheck(version: string, outcome = 'yes'): Check {
	return (what, test) => {
		const name = `${what}: ${outcome} in n8n ${version}`;
		unproven.add(name);
		const outcomes = checks.get(what) ?? new Map<string, Set<string>>();
		checks.set(what, outcomes.set(version, (outcomes.get(version) ?? new Set()).add(outcome)));
		it(what, async () => {
			await test();
			unproven.delete(name);
		});
	};
}

const versions = versionsToTest.map(({ version }) => version);

const begin = '<!-- The tests in test/versions write this table. -->';
const end = '<!-- The end of the table. -->';

const page = path.join(root, 'docs/development/compatibility.md');
const block = new RegExp(`${begin}[^]*${end}`);

function createTable(): string {
	const rows = [
		['', ...versions.map((version) => `n8n ${version}`)],
		['-', ...versions.map(() => '-')],
		...[...checks].map(([what, outcomes]) => [
			what,
			...versions.map((version) => [...(outcomes.get(version) ?? ['not tried'])].join(', ')),
		]),
	].map((cells) => `| ${cells.join(' | ')} |`);
	return `${begin}\n\n${formatMarkdown(rows.join('\n'))}\n${end}`;
}

/**
 * Compares docs/development/compatibility.md with what it should have, which does not depend on the order of the tests: a
 * check that fails is reported itself. With UPDATE_DOCS, writes the page, if all checks have succeeded before.
 */
export function compareCompatibilityTable(): void {
	const before = readFileSync(page, 'utf8');
	const after = before.replace(block, createTable);
	if (!process.env.UPDATE_DOCS) {
		expect(before).toBe(after);
		return;
	}
	expect([...unproven]).toEqual([]);
	writeFileSync(page, after);
}

/** Prettier's library is an ES module, which jest does not load. So this runs its program. */
function formatMarkdown(markdown: string): string {
	const program = path.join(root, 'node_modules/prettier/bin/prettier.cjs');
	const args = [program, '--no-config', '--parser', 'markdown'];
	return execFileSync(process.execPath, args, { input: markdown, encoding: 'utf8' });
}
