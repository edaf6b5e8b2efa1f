/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { run } from '../package/repository';
import { withTenthOperation } from '../support/tenthOperation';

describe('a tenth operation, made of one file and one line', () => {
	const copy = withTenthOperation(
		...['package.json', 'tsconfig.json', 'gulpfile.js', 'icons', 'scripts', 'docs'],
	);
	afterAll(() => rmSync(copy, { recursive: true, force: true }));

	it('stands in the table of operations, and has a page with its parameters', () => {
		run('npm', ['run', '--silent', 'build'], copy);
		run(process.execPath, ['scripts/docs.mjs'], copy);
		const pages = path.join(copy, 'docs/operations');
		const table = readFileSync(path.join(pages, 'README.md'), 'utf8');
		expect(table).toMatch(/\| Language +\| \[Make Shorter\]\(summarize\.md\) +\| documented +\|/);
		const page = readFileSync(path.join(pages, 'summarize.md'), 'utf8');
		expect(page).toMatch(/\| Endpoint +\| `POST \/ai\/summary` +\|/);
		expect(page).toMatch(/\| \*\*Text\*\* +\| `text` +\| required +\|/);
		expect(page).toContain('`options.textFieldName`');
		expect(page).not.toContain('`voiceId`');
	}, 120_000);
});
