import { packageJson, read, run, trackedFiles } from './repository';

const entries = [...packageJson.n8n.nodes, ...packageJson.n8n.credentials];
const codex = 'nodes/VoiceSpeech/VoiceSpeech.node.json';

/** n8n's lint checks package.json, and test/hosts loads the package in real n8n. */
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
