import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { installN8n } from '../../../dev/n8n/install.mts';
import { readRepositoryFile } from '../../support/repository.mts';

/** The entry of the editor's menu that imports a workflow from a file. */
function findImportEntry(editorFolder: string): string {
	for (const file of readdirSync(editorFolder)) {
		if (!file.endsWith('.js')) continue;
		const code = readFileSync(path.join(editorFolder, file), 'utf8');
		const entry = /"menuActions\.importFromFile":\s*["`]([^"`]+)["`]/.exec(code)?.[1];
		if (entry !== undefined) return entry;
	}
	throw new Error(`The editor in ${editorFolder} has no entry to import a workflow`);
}

/** The docs say how a workflow is imported in this n8n. */
export function testImporting(version: string): void {
	it.each(['README.md', 'examples/README.md'])(
		`%s names the entry of n8n ${version} that imports a workflow`,
		async (page) => {
			const { folder } = await installN8n(version);
			const entry = findImportEntry(path.join(folder, 'node_modules/n8n-editor-ui/dist/assets'));
			expect(readRepositoryFile(page).replace(/\s+/g, ' ')).toContain(entry);
		},
	);
}
