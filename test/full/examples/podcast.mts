import { createPodcastFeed } from '../../../dev/demo/mockSystems/feed.mts';
import { createCompletion } from '../../../dev/demo/mockSystems/model.mts';
import {
	respondWithBytes,
	respondWithJson,
	type Responder,
} from '../../support/servers/scriptedServer.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** A podcast's feed and its episodes, a language model and a site, all on one server. */
describeExample('podcast-to-show-notes', (example) => {
	const transcript = 'Welcome to our show. Today: bees.';
	let episode: Responder;
	let firstMorning: Awaited<ReturnType<typeof runMorning>>;

	beforeAll(async () => {
		episode = respondWithBytes(await runner.speak(transcript), 'audio/wav');
		prepareServer();
		firstMorning = await runMorning('good1');
	});
	beforeEach(prepareServer);

	function prepareServer() {
		runner.responders = {
			'/good.wav': redirect('/8'),
			'/0': episode,
			'/llm': respondWithJson(createCompletion('About bees.')),
		};
		for (let hop = 1; hop <= 8; hop++) runner.responders[`/${hop}`] = redirect(`/${hop - 1}`);
	}

	/** A host that counts downloads: it redirects, and refuses programs. */
	const redirect =
		(Location: string): Responder =>
		(request, response) => {
			const isBrowser = request.headers['user-agent']?.startsWith('Mozilla/');
			response.writeHead(isBrowser ? 302 : 403, isBrowser ? { Location } : {}).end();
		};

	/** Runs one morning; returns what reached the language model, the site and the person, and what was paid. */
	async function runMorning(newest: string) {
		runner.scriptedServer.requests.length = 0;
		const episodes = [newest, 'good0'].map((name) => ({
			name,
			address: runner.createAddress(`/${name.replace(/\d/, '')}.wav`),
		}));
		const feed = respondWithBytes(createPodcastFeed(episodes), 'application/rss+xml');
		runner.responders['/feed.xml'] = feed;
		const { paid } = await runner.run(example, 'Every Morning', {
			feedAddress: runner.createAddress('/feed.xml'),
			summaryAddress: runner.createAddress('/llm'),
			notesAddress: runner.createAddress('/notes'),
			personAddress: runner.createAddress('/person'),
		});
		const [asked, notes, alerts] = ['/llm', '/notes', '/person'].map(runner.listArrivals);
		return { asked, notes, alerts, paid };
	}

	it('a new episode becomes show notes once, also behind redirects and on a host that refuses programs', async () => {
		const { asked, notes, alerts, paid } = firstMorning;
		const messages = [{ role: 'system' }, { role: 'user', content: transcript }];
		expect(asked).toMatchObject([{ model: 'mock', messages }]);
		const link = 'https://podcast.example.com/good1';
		expect(notes).toEqual([
			{ title: 'good1', link, summary: 'About bees.', transcript, state: 'ready' },
		]);
		expect(alerts).toEqual([]);
		expect(paid).toEqual(['speech-to-text']);
		expect(await runMorning('good1')).toEqual({ asked: [], notes: [], alerts: [], paid: [] });
	});

	it('an episode that fails is reported to a person, and transcribed when it is there', async () => {
		runner.responders['/gone.wav'] = respondWithBytes('<html>', 'text/html');
		const { notes, alerts, paid } = await runMorning('gone2');
		expect({ notes, paid }).toEqual({ notes: [], paid: [] });
		const text = expect.stringMatching(/"gone2"[^]*not audio/) as string;
		expect(alerts).toMatchObject([{ link: 'https://podcast.example.com/gone2', text }]);

		runner.responders['/gone.wav'] = episode;
		const next = await runMorning('gone2');
		expect(next.notes).toMatchObject([{ title: 'gone2', transcript }]);
		expect(next).toMatchObject({ alerts: [], paid: ['speech-to-text'] });
	});

	it('a transcript is not lost where the language model answers something else', async () => {
		runner.responders['/llm'] = respondWithJson({ respond: 'About bees.' });
		const { notes } = await runMorning('good3');
		expect(notes).toMatchObject([{ summary: '', transcript, state: 'check' }]);
	});
});
