/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startEmulator } from '../support/emulator';

const FOLDER = path.resolve(__dirname, '../../dev/emulator');

test('the README lists every setting with its default', async () => {
	const emulator = await startEmulator();
	const settings: Record<string, unknown> = await emulator.api('GET', '/settings');
	await emulator.stop();
	const readme = readFileSync(path.join(FOLDER, 'README.md'), 'utf8');
	for (const [name, value] of Object.entries(settings)) {
		const row = new RegExp(`^\\| \`${name}\` .*$`, 'm').exec(readme)?.[0] ?? '';
		const defaults =
			typeof value === 'object' && value !== null
				? Object.entries(value).map(([part, number]) => `\`${part}\` ${String(number)}`)
				: [value === '' ? 'empty' : String(value)];
		for (const one of defaults) expect([name, row]).toEqual([name, expect.stringContaining(one)]);
	}
});

test('no file is shared with the node', () => {
	const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
		/\.(?:mjs|js)$/.test(name),
	);
	expect(files.length).toBeGreaterThan(30);
	for (const name of files) {
		const source = readFileSync(path.join(FOLDER, name), 'utf8');
		for (const [, target = ''] of source.matchAll(/(?:from|import) '(\.[^']*)'/g)) {
			const file = path.relative(FOLDER, path.resolve(FOLDER, path.dirname(name), target));
			expect([name, file.startsWith('..')]).toEqual([name, false]);
		}
	}
});
