import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';

export interface PackageJson {
	name: string;
	version: string;
	homepage: string;
	author: { name: string; email: string };
	scripts: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
}

export const readRepositoryFile = (file: string) => readFileSync(path.join(root, file), 'utf8');

export const packageJson = JSON.parse(readRepositoryFile('package.json')) as PackageJson;

/** Placeholders until the package has a public home (CONTRIBUTING.md). */
export const { homepage: packageHome, author: packageAuthor } = packageJson;

export function runCommand(command: string, args: string[], cwd = root, env = process.env): string {
	const stdio = ['ignore', 'pipe', 'pipe'] as const;
	return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: [...stdio] });
}

/** The files of the repository as git knows them, without links and what is deleted here. */
export const trackedFiles = runCommand('git', ['ls-files', '-z'])
	.split('\0')
	.filter((file) => lstatSync(path.join(root, file), { throwIfNoEntry: false })?.isFile());
