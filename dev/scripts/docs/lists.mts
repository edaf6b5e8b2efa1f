// Creates the modules that import all operations. TypeScript cannot import all files of a folder, so they are generated.
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
	return [createOperationList(), createHandlerList()];
}

/** Every file in a folder of `resources/` is an operation, and exports it by the file's name. */
function createOperationList(): GeneratedFile {
	const all = readdirSync(path.join(root, resources), { recursive: true, encoding: 'utf8' });
	const files = all.filter((file) => path.dirname(file) !== '.').sort();
	const names = files.map((file) => path.basename(file, '.ts'));
	const imports = files.map((file, index) => {
		const name = names[index];
		return `import { ${name} } from './${path.dirname(file)}/${name}';`;
	});
	const content = `// Written by "npm run docs" from the files in the folders next to it.
		${imports.join('\n')}

		/** Every operation of the node. */
		export const operations = [${names.join(',')}];`;
	return { file: `${resources}/index.ts`, content };
}

/** The emulator has a file for each path of docs/openapi.yaml, which exports its operation handler. */
function createHandlerList(): GeneratedFile {
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
		export const operationHandlers = {${entries.join(',')}};`;
	return { file: 'dev/emulator/service/index.mts', content };
}
