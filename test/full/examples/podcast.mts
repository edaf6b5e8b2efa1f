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
	/** A host that counts downloads: it redirects, and refuses programs. */
	const redirect =
		(Location: string): Responder =>
		(request, response) => {
			const isBrowser = request.headers['user-agent']?.startsWith('Mozilla/');
			response.writeHead(isBrowser ? 302 : 403, isBrowser ? { Location } : {}).end();
		};

	/** Runs one morning; returns what reached the language model, the site and the person, and what was paid. */
	async function runMorning() {
		runner.scriptedServer.requests.length = 0;
		const { paid } = await runner.run(example, 'Every Morning', {
			feedAddress: runner.createAddress('/feed.xml'),
			mostEpisodes: 3,
			summaryAddress: runner.createAddress('/llm'),
			notesAddress: runner.createAddress('/notes'),
			personAddress: runner.createAddress('/person'),
		});
		const [asked, notes, alerts] = ['/llm', '/notes', '/person'].map(runner.listArrivals);
		return { asked, notes, alerts, paid };
	}

	it('each new episode becomes show notes once; one that fails is reported, and tried again', async () => {
		const bees = 'Welcome to our show. Today: bees.';
		const ants = 'Welcome back. Today: ants.';
		const audio = respondWithBytes(await runner.speak(bees), 'audio/wav');
		const episodes = ['bees', 'ants', 'gone', 'old'].map((name) => ({
			name,
			address: runner.createAddress(`/${name}.wav`),
		}));
		const feed = createPodcastFeed(episodes);
		runner.responders = {
			'/feed.xml': respondWithBytes(feed, 'application/rss+xml'),
			'/bees.wav': redirect('/8'),
			'/0': audio,
			'/ants.wav': respondWithBytes(await runner.speak(ants), 'audio/wav'),
			'/gone.wav': respondWithBytes('<html>', 'text/html'),
			'/old.wav': audio,
			'/llm': (request, ...rest) => {
				const isUnderstood = request.body.includes(bees);
				// A model with another interface.
				const body = isUnderstood ? createCompletion('About bees.') : { respond: 'About ants.' };
				respondWithJson(body)(request, ...rest);
			},
		};
		for (let hop = 1; hop <= 8; hop++) runner.responders[`/${hop}`] = redirect(`/${hop - 1}`);

		const first = await runMorning();
		expect(first.paid).toEqual(['speech-to-text', 'speech-to-text']);
		const system = { role: 'system', content: expect.any(String) as string };
		const messages = [system, { role: 'user', content: bees }];
		expect(first.asked).toContainEqual({ model: 'mock', messages });
		const link = 'https://podcast.example.com';
		const ready = { summary: 'About bees.', transcript: bees, state: 'ready' };
		const toCheck = { summary: '', transcript: ants, state: 'check' };
		expect(first.notes).toHaveLength(2);
		expect(first.notes).toContainEqual({ title: 'bees', link: `${link}/bees`, ...ready });
		expect(first.notes).toContainEqual({ title: 'ants', link: `${link}/ants`, ...toCheck });
		const text = expect.stringMatching(/"gone"[^]*not audio/) as string;
		expect(first.alerts).toMatchObject([{ link: `${link}/gone`, text }]);

		runner.responders['/gone.wav'] = audio;
		const second = await runMorning();
		expect(second.paid).toEqual(['speech-to-text']);
		expect(second.notes).toEqual([{ title: 'gone', link: `${link}/gone`, ...ready }]);
		expect(second.alerts).toEqual([]);
	});
});
