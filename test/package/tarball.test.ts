import { packageJson, run, trackedFiles } from './repository';

interface Packed {
	files: Array<{ path: string; size: number }>;
	unpackedSize: number;
}

describe('the published package', () => {
	const [packed] = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'])) as [
		Packed,
	];
	const paths = packed.files.map((file) => file.path);

	it('has what n8n loads, and nothing of the development', () => {
		const roots = /^dist\/(nodes|credentials|icons)\/.+$/;
		expect(paths.filter((path) => !roots.test(path)).sort()).toEqual(
			['LICENSE', 'README.md', 'package.json'].sort(),
		);
		expect(paths).toEqual(
			expect.arrayContaining([...packageJson.n8n.nodes, ...packageJson.n8n.credentials]),
		);
		expect(paths).toContain('dist/nodes/VoiceSpeech/VoiceSpeech.node.json');
	});

	it('has the icons of the repository, and no other picture', () => {
		const pictures = paths.filter((path) => /\.(png|svg|jpe?g|gif|webp)$/i.test(path));
		const icons = trackedFiles.filter((path) => /^icons\/[^/]+\.svg$/.test(path));
		expect(pictures.sort()).toEqual(icons.map((path) => `dist/${path}`).sort());
	});

	it('stays small', () => {
		expect(packed.unpackedSize).toBeLessThan(200_000);
	});
});
