import { createPodcastFeed } from '../../../dev/demo/mockSystems/feed.mts';
import { createCompletion } from '../../../dev/demo/mockSystems/model.mts';
import {
	respondWithBytes,
	respondWithJson,
	type Responder,
} from '../../support/servers/scriptedServer.mts';
import { runner } from './exampleRunner.mts';

/** A podcast's feed and its episodes, a language model and a site, all on one server. */
export function testPodcast(): void {
	const transcript = 'Welcome to our show. Today: bees.';
	let episode: Buffer;
	let summary: Responder;
	let lateEpisode: Responder;
	let newest: string;

	let firstMorning: Awaited<ReturnType<typeof runMorning>>;

	beforeAll(async () => {
		episode = await runner.speak(transcript);
		prepareServer();
		newest = 'good1';
		firstMorning = await runMorning();
	});

	beforeEach(() => prepareServer());

	function prepareServer() {
		runner.scriptedServer.reset((request, response, index) => {
			const responders: Record<string, Responder> = {
				'/feed.xml': respondWithBytes(createFeed(), 'application/rss+xml'),
				'/good.wav': redirect('/8'),
				'/0': respondWithBytes(episode, 'audio/wav'),
				'/gone.wav': lateEpisode,
				'/llm': summary,
			};
			const hop = Number(/^\/([1-8])$/.exec(request.url)?.[1]);
			const respond = hop ? redirect(`/${hop - 1}`) : responders[request.url];
			(respond ?? respondWithJson({}))(request, response, index);
		});
		lateEpisode = respondWithBytes('gone', 'text/plain', 404);
		summary = respondWithJson(createCompletion('About bees.'));
	}

	/** A host that counts downloads: it redirects, and refuses programs. */
	const redirect =
		(Location: string): Responder =>
		(request, response) => {
			const isBrowser = request.headers['user-agent']?.startsWith('Mozilla/');
			response.writeHead(isBrowser ? 302 : 403, isBrowser ? { Location } : {}).end();
		};

	const createFeed = () =>
		createPodcastFeed(
			[newest, 'good0'].map((name) => ({
				name,
				address: `${runner.scriptedServer.baseUrl}/${name.replace(/\d/, '')}.wav`,
			})),
		);

	/** Runs one morning; returns what reached the language model, the site and the person. */
	async function runMorning() {
		const createAddress = (path: string) => `${runner.scriptedServer.baseUrl}/${path}`;
		const addresses = {
			feedAddress: createAddress('feed.xml'),
			summaryAddress: createAddress('llm'),
			notesAddress: createAddress('notes'),
			personAddress: createAddress('person'),
		};
		const { paid } = await runner.run('podcast-to-show-notes', 'Every Morning', addresses);
		const [asked, notes, alerts] = ['llm', 'notes', 'person'].map((one) =>
			runner.listArrivals(one),
		);
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

		newest = 'good1';
		expect(await runMorning()).toEqual({ asked: [], notes: [], alerts: [], paid: [] });
	});

	it('an episode that fails is reported to a person, and transcribed when it is there', async () => {
		newest = 'gone2';
		lateEpisode = respondWithBytes('<html>', 'text/html');
		const { notes, alerts, paid } = await runMorning();
		expect({ notes, paid }).toEqual({ notes: [], paid: [] });
		const text = expect.stringMatching(/"gone2"[^]*not audio/) as string;
		expect(alerts).toMatchObject([{ link: 'https://podcast.example.com/gone2', text }]);

		runner.scriptedServer.requests.length = 0;
		lateEpisode = respondWithBytes(episode, 'audio/wav');
		const next = await runMorning();
		expect(next.notes).toMatchObject([{ title: 'gone2', transcript }]);
		expect(next).toMatchObject({ alerts: [], paid: ['speech-to-text'] });
	});

	it('a transcript is not lost where the language model answers something else', async () => {
		newest = 'good3';
		summary = respondWithJson({ respond: 'About bees.' });
		expect((await runMorning()).notes).toMatchObject([{ summary: '', transcript, state: 'check' }]);
	});
}
