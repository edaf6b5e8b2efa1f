import { createPodcastFeed } from '../../../dev/demo/mockSystems/feed.mts';
import { createCompletion } from '../../../dev/demo/mockSystems/model.mts';
import {
	respondWithBytes,
	respondWithJson,
	type Responder,
} from '../../support/servers/scriptedServer';
import type { ExampleRunner } from './exampleRunner';

/** A podcast's feed and its episodes, a language model and a site, all on one server. */
export function testPodcast(runner: () => ExampleRunner): void {
	const transcript = 'Welcome to our show. Today: bees.';
	let episode: Buffer;
	let summary: Responder;
	let newest: string;

	let firstMorning: Awaited<ReturnType<typeof runMorning>>;

	beforeAll(async () => {
		episode = await runner().speak(transcript);
		prepareServer();
		newest = 'good1';
		firstMorning = await runMorning();
	});

	beforeEach(() => prepareServer());

	function prepareServer() {
		runner().scriptedServer.reset((request, response, index) => {
			const responders: Record<string, Responder> = {
				'/feed.xml': respondWithBytes(createFeed(), 'application/rss+xml'),
				'/good.wav': respondWithBytes(episode, 'audio/wav'),
				'/gone.wav': respondWithBytes('gone', 'text/plain', 404),
				'/llm': summary,
			};
			(responders[request.url] ?? respondWithJson({}))(request, response, index);
		});
		summary = respondWithJson(createCompletion('About bees.'));
	}

	const createFeed = () =>
		createPodcastFeed(
			[newest, 'good0'].map((name) => ({
				name,
				address: `${runner().scriptedServer.baseUrl}/${name.replace(/\d/, '')}.wav`,
			})),
		);

	/** Runs one morning; returns what reached the language model, the site and the person. */
	async function runMorning() {
		const createAddress = (path: string) => `${runner().scriptedServer.baseUrl}/${path}`;
		const addresses = {
			feedAddress: createAddress('feed.xml'),
			summaryAddress: createAddress('llm'),
			notesAddress: createAddress('notes'),
			personAddress: createAddress('person'),
		};
		const { paid } = await runner().run('podcast-to-show-notes', 'Every Morning', addresses);
		const [asked, notes, alerts] = ['llm', 'notes', 'person'].map((one) =>
			runner().listArrivals(one),
		);
		return { asked, notes, alerts, paid };
	}

	it('a new episode becomes show notes', async () => {
		const { asked, notes, alerts, paid } = firstMorning;
		const messages = [{ role: 'system' }, { role: 'user', content: transcript }];
		expect(asked).toMatchObject([{ model: 'mock', messages }]);
		const link = 'https://podcast.example.com/good1';
		expect(notes).toEqual([
			{ title: 'good1', link, summary: 'About bees.', transcript, state: 'ready' },
		]);
		expect(alerts).toEqual([]);
		expect(paid).toEqual(['speech-to-text']);
	});

	it('the next morning nothing is paid or published again', async () => {
		newest = 'good1';
		expect(await runMorning()).toEqual({ asked: [], notes: [], alerts: [], paid: [] });
	});

	it('an episode that is not there is reported to a person', async () => {
		newest = 'gone2';
		const { notes, alerts, paid } = await runMorning();
		expect(notes).toEqual([]);
		const text = expect.stringMatching(/"gone2": .*404/) as string;
		expect(alerts).toMatchObject([{ link: 'https://podcast.example.com/gone2', text }]);
		expect(paid).toEqual([]);
	});

	it('a transcript is not lost where the language model answers something else', async () => {
		newest = 'good3';
		summary = respondWithJson({ respond: 'About bees.' });
		expect((await runMorning()).notes).toMatchObject([{ summary: '', transcript, state: 'check' }]);
	});
}
