import { packageJson, trackedTexts } from './repository';
import { ENDPOINTS } from './endpoints';

const documents = new Map([...trackedTexts()].filter(([file]) => file.endsWith('.md')));

// Links, blocks and commands in blocks: test/docs.
describe('the documents', () => {
	it.each([...documents.keys()])('%s names commands that package.json has', (file) => {
		const commands = documents.get(file)!.matchAll(/\bnpm run ([\w:-]+)/g);
		for (const [, name] of commands) expect(packageJson.scripts).toHaveProperty([name!]);
	});

	it.each(ENDPOINTS)('README lists $path with the scope of its key', ({ path: endpoint }) => {
		const row = documents
			.get('README.md')!
			.split('\n')
			.find((line) => line.includes(`\`${endpoint}\``));
		// The scope that cloning needs is the one that the interface document does not show.
		const scope = endpoint === '/ai/voice-clone' ? 'not documented' : endpoint.replace('/ai/', '');
		expect(row).toMatch(new RegExp(`\\| (\`${scope}\`|${scope}) +\\|`));
	});
});
