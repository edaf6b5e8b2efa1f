/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { ROOT } from '../full/tools';
import { VERSIONS } from './versions';

const notTried = 'not tried';

/** What was proven for which version, in the order of the tests. */
const proven = new Map<string, Map<string, string>>();

function enter(what: string, version: string, outcome: string): void {
	const outcomes = proven.get(what) ?? new Map<string, string>();
	const before = outcomes.get(version);
	outcomes.set(
		version,
		before === undefined || before === outcome ? outcome : `${before}, ${outcome}`,
	);
	proven.set(what, outcomes);
}

/**
 * A test whose success becomes a line of the table.
 *
 * @param outcome the cell of the table; several tests of one version share it
 */
export function check(
	what: string,
	version: string,
	test: () => Promise<void>,
	outcome = 'yes',
): void {
	it(what, async () => {
		await test();
		enter(what, version, outcome);
	});
}

function table(rows: string[][]): string {
	const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	const line = (cells: string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
	const [head, ...body] = rows;
	const rule = widths.map((width) => '-'.repeat(width));
	return [head!, rule, ...body].map(line).join('\n');
}

const versions = VERSIONS.map(({ version }) => version);

const begin = '<!-- The tests in test/hosts write this table. -->';
const end = '<!-- The end of the table. -->';

/** What docs/development/compatibility.md says now and should say; written before, if the run was asked to. */
export function compatibilityTable(): { says: string; shouldSay: string } {
	const rows = [
		['', ...versions.map((version) => `n8n ${version}`)],
		...[...proven].map(([what, outcomes]) => [
			what,
			...versions.map((version) => outcomes.get(version) ?? notTried),
		]),
	];
	const shouldSay = `${begin}\n\n${table(rows)}\n\n${end}`;
	const file = path.join(ROOT, 'docs/development/compatibility.md');
	const before = readFileSync(file, 'utf8');
	const complete = [...proven.values()].every((outcomes) => outcomes.size === VERSIONS.length);
	const block = new RegExp(`${begin}[^]*${end}`);
	const write = process.env.UPDATE_DOCS && complete;
	const after = write ? before.replace(block, () => shouldSay) : before;
	if (write) writeFileSync(file, after);
	return { says: block.exec(after)?.[0] ?? '', shouldSay };
}
