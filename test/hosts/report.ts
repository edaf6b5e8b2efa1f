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

/** The tables of the documents, from what was proven in this run. */
const tables: Array<{ file: string; rows: () => string[][] }> = [
	{
		file: 'docs/development/compatibility.md',
		rows: () => [
			['', ...versions.map((version) => `n8n ${version}`)],
			...[...proven].map(([what, outcomes]) => [
				what,
				...versions.map((version) => outcomes.get(version) ?? notTried),
			]),
		],
	},
];

/** What each document says now and should say; written before, if the run was asked to. */
export function documents(): Array<{ file: string; says: string; shouldSay: string }> {
	const complete = [...proven.values()].every((outcomes) => outcomes.size === VERSIONS.length);
	return tables.map(({ file, rows }) => {
		const target = path.join(ROOT, file);
		const shouldSay = `${begin}\n\n${table(rows())}\n\n${end}`;
		const before = readFileSync(target, 'utf8');
		const block = new RegExp(`${begin}[^]*${end}`);
		if (process.env.UPDATE_DOCS && complete) {
			writeFileSync(
				target,
				before.replace(block, () => shouldSay),
			);
		}
		const says = block.exec(readFileSync(target, 'utf8'))?.[0] ?? '';
		return { file, says, shouldSay };
	});
}
