/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';

import { packageJson, read, ROOT, run, trackedFiles } from './repository';

const entries = [...packageJson.n8n.nodes, ...packageJson.n8n.credentials];
const codex = 'nodes/VoiceSpeech/VoiceSpeech.node.json';

describe('package.json', () => {
	it('has no dependency but n8n-workflow, and pins none', () => {
		for (const field of ['dependencies', 'optionalDependencies', 'bundledDependencies']) {
			expect(packageJson).not.toHaveProperty(field);
		}
		expect(packageJson).not.toHaveProperty('overrides');
		expect(packageJson.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	it('publishes dist only, and runs nothing when it is installed', () => {
		expect(packageJson.files).toEqual(['dist']);
		for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
			expect(packageJson.scripts).not.toHaveProperty(script);
		}
	});
});

describe('the published package', () => {
	const [packed] = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'])) as [
		{ files: Array<{ path: string }>; unpackedSize: number },
	];
	const files = packed.files.map((file) => file.path);
	const icons = trackedFiles.filter((file) => /^icons\/[^/]+\.svg$/.test(file));

	it('has what n8n loads, and nothing else', () => {
		expect(files.sort()).toEqual(
			[
				...['LICENSE', 'README.md', 'package.json', `dist/${codex}`],
				...entries,
				...icons.map((file) => `dist/${file}`),
			].sort(),
		);
		expect(JSON.parse(read(`dist/${codex}`))).toEqual(JSON.parse(read(codex)));
		expect(packed.unpackedSize).toBeLessThan(200_000);
	});

	it.each(entries)('%s requires n8n-workflow and nothing else', (file) => {
		const requires = read(file).match(/\brequire\b(?:\([^)]*\))?|\bimport\s*\(/g);
		expect([...new Set(requires)]).toEqual(['require("n8n-workflow")']);
	});
});

describe('the package as n8n loads it', () => {
	const home = mkdtempSync(path.join(tmpdir(), 'voice-speech-load-'));
	let node: INodeTypeDescription;

	beforeAll(() => {
		// A folder with the package and n8n-workflow: no other package can be found from there.
		const modules = path.join(home, 'node_modules');
		const installed = path.join(modules, packageJson.name);
		mkdirSync(installed, { recursive: true });
		for (const name of ['dist', 'package.json']) {
			cpSync(path.join(ROOT, name), path.join(installed, name), { recursive: true });
		}
		symlinkSync(
			path.join(ROOT, 'node_modules/n8n-workflow'),
			path.join(modules, 'n8n-workflow'),
			'junction',
		);
		const program = `
			const { PackageDirectoryLoader } = require(${JSON.stringify(require.resolve('n8n-core'))});
			const loader = new PackageDirectoryLoader(${JSON.stringify(installed)});
			loader.loadAll().then(() => console.log('\\n' + JSON.stringify(loader.types)));`;
		const env = { ...process.env, N8N_USER_FOLDER: home, NODE_PATH: '' };
		const output = run(process.execPath, ['--eval', program], home, env);
		const types = JSON.parse(output.slice(output.trimEnd().lastIndexOf('\n'))) as {
			nodes: [INodeTypeDescription];
			credentials: object[];
		};
		expect([types.nodes.length, types.credentials.length]).toEqual([1, 1]);
		[node] = types.nodes;
	});

	afterAll(() => rmSync(home, { recursive: true, force: true }));

	it('is declarative: n8n adds its request options to such nodes', () => {
		expect(node.properties.map(({ name }) => name)).toContain('requestOptions');
	});

	it('is found by more words than its name: test/browser searches for them', () => {
		expect(node.codex?.categories).not.toHaveLength(0);
		expect(node.codex?.alias).toEqual(expect.arrayContaining(['transcribe', 'dictation', 'TTS']));
	});
});
