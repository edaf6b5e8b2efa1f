import { HOME, packageJson } from './repository';

describe('package.json', () => {
	it('brings no package into n8n, and pins none there', () => {
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

	it('is found by n8n', () => {
		expect(packageJson.name).toBe('n8n-nodes-voice-speech');
		expect(packageJson.keywords).toContain('n8n-community-node-package');
		expect(packageJson.license).toBe('MIT');
		expect(packageJson.n8n).toEqual({
			n8nNodesApiVersion: 1,
			strict: true,
			credentials: ['dist/credentials/VoiceSpeechApi.credentials.js'],
			nodes: ['dist/nodes/VoiceSpeech/VoiceSpeech.node.js'],
		});
	});

	it('leads from the package to its home', () => {
		expect(packageJson.homepage).toBe(HOME);
		expect(packageJson.repository).toEqual({ type: 'git', url: `git+${HOME}.git` });
		expect(packageJson.bugs).toEqual({ url: `${HOME}/issues` });
	});
});
