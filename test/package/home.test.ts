import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { AUTHOR, HOME, packageJson, read, trackedTexts } from './repository';

/** Every match of a pattern in the tracked files, as "file: match". */
function occurrences(pattern: RegExp): string[] {
	return [...trackedTexts()].flatMap(([file, text]) =>
		[...text.matchAll(pattern)].map(([match]) => `${file}: ${match}`),
	);
}

describe('the home and the author of the package', () => {
	it('stand in package.json', () => {
		expect(packageJson.homepage).toBe(HOME);
		expect(packageJson.author).toEqual(AUTHOR);
	});

	it('are where the credential and the codex lead to', () => {
		expect(new VoiceSpeechApi().documentationUrl).toMatch(new RegExp(`^${HOME}(#|$)`));
		const codex = JSON.parse(read('nodes/VoiceSpeech/VoiceSpeech.node.json')) as {
			resources: Record<string, Array<{ url: string }>>;
		};
		const urls = Object.values(codex.resources).flatMap((list) => list.map(({ url }) => url));
		expect(urls).not.toHaveLength(0);
		for (const url of urls) expect(url).toMatch(new RegExp(`^${HOME}(#|$)`));
	});

	it.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'])(
		'stand in %s',
		(file) => {
			expect(read(file)).toContain(HOME);
		},
	);

	it('let people write to the maintainers', () => {
		expect(read('CONTRIBUTING.md')).toContain(AUTHOR.email);
		expect(read('SECURITY.md')).toContain(AUTHOR.email);
		expect(read('LICENSE')).toContain(AUTHOR.name);
	});

	it('have no second spelling in any file', () => {
		const homes = occurrences(/github\.com[/:][\w.-]+\/n8n-nodes-voice-speech\b/g);
		expect(homes.filter((match) => !`https://${match.split(': ')[1]}`.startsWith(HOME))).toEqual(
			[],
		);
		const addresses = occurrences(/maintainers@[\w.-]*\w/g);
		expect(addresses.filter((match) => !match.endsWith(`: ${AUTHOR.email}`))).toEqual([]);
	});
});
