import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import { n8nVersions } from '../support/n8nVersions';

const notTried = 'not tried';

/** What was proven for which version, in the order of the tests. */
const proven = new Map<string, Map<string, Set<string>>>();

/** Tests that have not succeeded. */
const unproven = new Set<string>();

/** Like `it`, but the test's success becomes a line of the table. */
export type Check = (what: string, test: () => Promise<void>) => void;

/**
 * The function for the tests of a version.
 *
 * @param outcome the cell of the table; several tests of one version share it
 */
export function createCheck(version: string, outcome = 'yes'): Check {
	return (what, test) => {
		const name = `${what}: ${outcome} in n8n ${version}`;
		unproven.add(name);
		it(what, async () => {
			await test();
			unproven.delete(name);
			const outcomes = proven.get(what) ?? new Map<string, Set<string>>();
			proven.set(what, outcomes.set(version, (outcomes.get(version) ?? new Set()).add(outcome)));
		});
	};
}

/** What the table would show as not tried, because the tests of it failed. */
export function listUnproven(): string[] {
	return [...unproven].map((name) => `not proven: ${name}`);
}

const versions = n8nVersions.map(({ version }) => version);

const begin = '<!-- The tests in test/versions write this table. -->';
const end = '<!-- The end of the table. -->';

/** What docs/development/compatibility.md has, and what it should have. With UPDATE_DOCS=1, writes it first. */
export function compareCompatibilityTable(): { says: string; shouldSay: string } {
	const rows = [
		['', ...versions.map((version) => `n8n ${version}`)],
		['-', ...versions.map(() => '-')],
		...[...proven].map(([what, outcomes]) => [
			what,
			...versions.map((version) => [...(outcomes.get(version) ?? [notTried])].join(', ')),
		]),
	].map((cells) => `| ${cells.join(' | ')} |`);
	const table = formatMarkdown(rows.join('\n'));
	const shouldSay = `${begin}\n\n${table}\n${end}`;
	const file = path.join(root, 'docs/development/compatibility.md');
	const before = readFileSync(file, 'utf8');
	const complete = [...proven.values()].every((outcomes) => outcomes.size === n8nVersions.length);
	const block = new RegExp(`${begin}[^]*${end}`);
	const write = process.env.UPDATE_DOCS && complete;
	const after = write ? before.replace(block, () => shouldSay) : before;
	if (write) writeFileSync(file, after);
	return { says: block.exec(after)?.[0] ?? '', shouldSay };
}

/** Prettier's library is an ES module, which jest does not load. So this runs its program. */
function formatMarkdown(markdown: string): string {
	const program = path.join(root, 'node_modules/prettier/bin/prettier.cjs');
	const args = [program, '--no-config', '--parser', 'markdown'];
	return execFileSync(process.execPath, args, { input: markdown, encoding: 'utf8' });
}
