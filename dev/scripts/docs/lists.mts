// The lists of the operations' files: TypeScript needs to know what it should import.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { endpoints } from '../../lib/openapi.mts';
import { root } from '../../lib/root.cjs';
import type { GeneratedFile } from './generatedFiles.mts';

const resources = 'nodes/VoiceSpeech/resources';

/** `post-call-analytics` becomes `postCallAnalytics`. */
function toCamelCase(kebabCase: string): string {
	return kebabCase.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** @returns the lists that do not need the built node */
export function createLists(): GeneratedFile[] {
	return [createOperationList(), createServiceList()];
}

/** Every file in a folder of `resources/` is an operation, and exports it by the file's name. */
function createOperationList(): GeneratedFile {
	const entries = readdirSync(path.join(root, resources), { withFileTypes: true });
	const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
	const files = folders.sort().flatMap((folder) =>
		readdirSync(path.join(root, resources, folder))
			.sort()
			.map((file) => ({ folder, name: path.basename(file, '.ts') })),
	);
	const imports = files.map(({ folder, name }) => `import { ${name} } from './${folder}/${name}';`);
	const names = files.map(({ name }) => name);
	const content = `// Written by "npm run docs" from the files in the folders next to it.
		${imports.join('\n')}

		/** Every operation of the node. */
		export const operations = [${names.join(',')}];`;
	return { file: `${resources}/index.ts`, content };
}

/** The emulator has a file for each path of docs/openapi.yaml, which exports its service. */
function createServiceList(): GeneratedFile {
	const names = endpoints.map(({ name }) => name);
	const imports = [...names]
		.sort()
		.map((name) => `import { ${toCamelCase(name)} } from './${name}.mts';`);
	const entries = names.map((name) => {
		const variable = toCamelCase(name);
		return variable === name ? name : `'${name}': ${variable}`;
	});
	const content = `// Written by "npm run docs" from the paths of docs/openapi.yaml.
		${imports.join('\n')}

		/** How the emulator responds to each operation, by the last part of its path. */
		export const services = {${entries.join(',')}};`;
	return { file: 'dev/emulator/service/index.mts', content };
}
