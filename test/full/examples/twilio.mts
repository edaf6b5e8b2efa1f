import { randomBytes } from 'node:crypto';

import {
	respondWithBytes,
	respondWithJson,
	type RecordedRequest,
	type Responder,
} from '../../support/servers/scriptedServer.mts';
import { describeExample, runner } from './exampleRunner.mts';

const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'twilio-token' };
const botToken = 'xoxb-stand-in';

/**
 * Twilio reports recordings of calls, and a channel of Slack receives the posts. Both are stand-ins, as far as
 * https://www.twilio.com/docs/voice and https://docs.slack.dev document what n8n uses.
 */
describeExample('twilio-recording-to-slack', (example) => {
	const api = `https://api.twilio.com/2010-04-01/Accounts/${account.accountSid}`;
	const caller = '+14155550100';
	/** The responses to requests for the recording, in turn; the last one stays. */
	let downloads: Responder[] = [];
	/** Since the last report. */
	let posts: Array<{ channel: string; text: string }> = [];

	beforeAll(async () => {
		const { appProxy } = runner;
		const login = Buffer.from(`${account.accountSid}:${account.authToken}`).toString('base64');
		appProxy.setApp('api.twilio.com', `Basic ${login}`, respondAsTwilio);
		appProxy.setApp('slack.com', `Bearer ${botToken}`, respondAsSlack);
		await runner.publish(example, { slackChannel: '#phone', waitSeconds: 1, mostTries: 3 }, [
			{ nodeType: 'httpRequest', type: 'twilioApi', data: { authType: 'authToken', ...account } },
			{ nodeType: 'slack', type: 'slackApi', data: { accessToken: botToken } },
		]);
	});

	function respondAsTwilio({ pathname }: URL) {
		if (/\/Calls\/CA\w+\.json$/.test(pathname)) {
			return { sid: 'CA1', from: caller, to: '+14155550199', status: 'completed' };
		}
		if (!/\/Recordings\/RE\w+\.wav$/.test(pathname)) return notFound;
		return (downloads.length > 1 ? downloads.shift() : downloads[0]) ?? notFound;
	}

	function respondAsSlack({ pathname }: URL, { body }: RecordedRequest) {
		expect(pathname).toBe('/api/chat.postMessage');
		const post = JSON.parse(body.toString()) as (typeof posts)[0];
		posts.push(post);
		return { ok: true, channel: 'C1', ts: '1', message: { text: post.text } };
	}

	/** What Twilio reports about a new recording. */
	function createReport(changes = {}) {
		const RecordingSid = `RE${randomBytes(16).toString('hex')}`;
		return {
			AccountSid: account.accountSid,
			CallSid: `CA${'1'.repeat(32)}`,
			RecordingSid,
			RecordingUrl: `${api}/Recordings/${RecordingSid}`,
			RecordingStatus: 'completed',
			RecordingDuration: '7',
			RecordingChannels: '1',
			RecordingSource: 'DialVerb',
			...changes,
		};
	}

	/** Twilio reports a recording; returns what was paid, and how many posts there were when n8n responded. */
	async function report(about: Record<string, string>) {
		let postsAtResponse = 0;
		posts = [];
		const { paid } = await runner.startAndWait(example, async () => {
			// As Twilio sends it: a form.
			const response = await runner.post('twilio-recording', new URLSearchParams(about));
			expect(response.status).toBe(200);
			postsAtResponse = posts.length;
		});
		return { paid, postsAtResponse };
	}

	const speak = async (text: string) => respondWithBytes(await runner.speak(text), 'audio/x-wav');

	it('a recording that is there only later becomes one post, with its caller and its link', async () => {
		downloads = [notFound, notFound, await speak('Please send <two> & call back.')];
		const about = createReport();
		// n8n responds before it has the recording.
		expect(await report(about)).toEqual({ paid: ['speech-to-text'], postsAtResponse: 0 });
		const text = `*Call from ${caller}*, 7 s, <${about.RecordingUrl}|recording>\nPlease send &lt;two&gt; &amp; call back.`;
		expect(posts).toMatchObject([{ channel: '#phone', text }]);

		// Twilio reports it again.
		expect((await report(about)).paid).toEqual([]);
		expect(posts).toEqual([]);
	});

	it('a recording that is never there, or is not audio, is posted with its link, and costs nothing', async () => {
		for (const download of [notFound, respondWithBytes('no audio', 'audio/x-wav')]) {
			downloads = [download];
			const about = createReport();
			expect((await report(about)).paid).toEqual([]);
			expect(posts).toHaveLength(1);
			expect(posts[0]!.text).toContain(about.RecordingUrl);
			expect(posts[0]!.text).toContain('\nNo transcript. Please listen to the recording. (');
		}
	});

	it('reports of other addresses, and of recordings that do not exist, are ignored', async () => {
		downloads = [await speak('Ignored.')];
		const elsewhere = 'https://api.twilio.com.example.com/2010-04-01/Accounts/AC0/Recordings/RE0';
		const ignored = [
			{ RecordingUrl: elsewhere },
			{ RecordingUrl: `${api}/Recordings/RE0?x=1` },
			{ RecordingStatus: 'absent' },
		];
		for (const changes of ignored) {
			const { paid } = await report(createReport(changes));
			expect({ changes, paid, posts }).toEqual({ changes, paid: [], posts: [] });
		}
	});
});

const notFound = respondWithJson({ code: 20404, message: 'not found', status: 404 }, 404);
