import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import { operations } from '../../nodes/VoiceSpeech/resources/index.ts';
import {
	packageJson,
	readRepositoryFile,
	runCommand,
	trackedFiles,
} from '../support/repository.mts';

const entries = [...packageJson.n8n.nodes, ...packageJson.n8n.credentials];
/** Loaded to read a recording. */
const lazy = ['onDemand.js', 'opusWasm.js'].map((file) => `dist/nodes/VoiceSpeech/${file}`);
/** Output schemas, which n8n serves to its editor. */
const schemas = operations
	.filter(({ outputFields }) => outputFields !== undefined)
	.map(({ resource, value }) => `nodes/VoiceSpeech/__schema__/v1.0.0/${resource}/${value}.json`);
const codex = 'nodes/VoiceSpeech/VoiceSpeech.node.json';

/** n8n's lint checks package.json, and test/versions loads the package in real n8n. */
describe('the published package', () => {
	it('has what n8n loads, and nothing else', () => {
		const dryRun = runCommand('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
		const [packed] = JSON.parse(dryRun) as [
			{ files: Array<{ path: string }>; unpackedSize: number },
		];
		const files = packed.files.map((file) => file.path);
		const icons = trackedFiles.filter((file) => /^icons\/[^/]+\.svg$/.test(file));
		expect(files.sort()).toEqual(
			[
				'LICENSE',
				'README.md',
				'package.json',
				`dist/${codex}`,
				...entries,
				...lazy,
				'dist/nodes/VoiceSpeech/opusWasm.LICENSE.txt',
				...icons.map((file) => `dist/${file}`),
				...schemas.map((file) => `dist/${file}`),
			].sort(),
		);
		expect(JSON.parse(readRepositoryFile(`dist/${codex}`))).toEqual(
			JSON.parse(readRepositoryFile(codex)),
		);
		expect(packed.unpackedSize).toBeLessThan(600_000);
	});

	it("has only n8n's own copy of n8n-workflow as a dependency", () => {
		expect(packageJson).not.toHaveProperty('dependencies');
		expect(packageJson).not.toHaveProperty('optionalDependencies');
		// n8n has one version of it. Another range could install a second one.
		expect(packageJson).toHaveProperty('peerDependencies', { 'n8n-workflow': '*' });
	});

	/** What a file loads, with `require` or `import()`. */
	const listLoaded = (file: string) => [
		...new Set(readRepositoryFile(file).match(/\brequire\b(?:\([^)]*\))?|\bimport\s*\([^)]*\)?/g)),
	];

	it('requires n8n-workflow and nothing else, and loads what reads a recording when it is needed', () => {
		const host = 'require("n8n-workflow")';
		expect([...entries, ...lazy].map(listLoaded)).toEqual([
			[host, 'import("./onDemand.js")'],
			[host],
			[host, 'import("./opusWasm.js")'],
			[],
		]);
	});

	it('compares no error with a class that two of its files contain', () => {
		const files = [entries[0]!, lazy[0]!].map(readRepositoryFile);
		const classes = files.map((text) =>
			[...text.matchAll(/\bvar (\w+) = class\b/g)].map(([, name]) => name!),
		);
		const inBoth = classes[0]!.filter((name) => classes[1]!.includes(name));
		expect(inBoth).toContain('ConversionError');
		const compared = [...files.join('').matchAll(/instanceof (\w+)/g)].map(([, name]) => name!);
		expect(compared.filter((name) => inBoth.includes(name))).toEqual([]);
	});

	it('names where the Opus decoder comes from, and its licenses', () => {
		const { opusWasm } = createRequire(__filename)(path.join(root, lazy[1]!)) as {
			opusWasm: string;
		};
		const sha256 = createHash('sha256').update(Buffer.from(opusWasm, 'base64')).digest('hex');
		const decoderPackage = readRepositoryFile('node_modules/opus-decoder/package.json');
		const { version } = JSON.parse(decoderPackage) as { version: string };
		const [header] = readRepositoryFile(lazy[1]!).split('exports.');
		expect(header).toContain(`opus-decoder ${version} `);
		expect(header).toContain(sha256);
		expect(header).toContain('MIT (opus-decoder), BSD-3-Clause (libopus and opusfile)');
		const licenses = readRepositoryFile('dist/nodes/VoiceSpeech/opusWasm.LICENSE.txt');
		expect(licenses).toContain('Copyright 2001-2023 Xiph.Org, Skype Limited, Octasic');
		expect(licenses).toContain('Copyright Ethan Halsall');
	});
});
