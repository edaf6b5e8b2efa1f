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
	/** The responses to requests for a recording, by its SID, in turn; the last one stays. */
	const downloads = new Map<string, Responder[]>();
	const posts: Array<{ channel: string; text: string }> = [];

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
		const [, sid = ''] = /\/Recordings\/(RE\w+)\.wav$/.exec(pathname) ?? [];
		const responders = downloads.get(sid) ?? [];
		return (responders.length > 1 ? responders.shift() : responders[0]) ?? notFound;
	}

	function respondAsSlack({ pathname }: URL, { body }: RecordedRequest) {
		expect(pathname).toBe('/api/chat.postMessage');
		const post = JSON.parse(body.toString()) as (typeof posts)[0];
		posts.push(post);
		return { ok: true, channel: 'C1', ts: '1', message: { text: post.text } };
	}

	/** What Twilio reports about a new recording, which these responders send. */
	function createReport(responders: Responder[], changes = {}) {
		const RecordingSid = `RE${randomBytes(16).toString('hex')}`;
		downloads.set(RecordingSid, responders);
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

	/** Twilio reports recordings, all at once; returns what was paid. */
	async function report(reports: Array<Record<string, string>>) {
		const task = async () => {
			for (const one of reports) {
				// As Twilio sends it: a form. n8n responds before it has the recording.
				const response = await runner.post('twilio-recording', new URLSearchParams(one));
				expect(await response.json()).toEqual({ message: 'Workflow was started' });
			}
		};
		return (await runner.startAllAndWait(example, task, reports.length)).paid;
	}

	const speak = async (text: string) => respondWithBytes(await runner.speak(text), 'audio/x-wav');

	it('posts each recording of Twilio once, with its link, and with its transcript if there is one', async () => {
		const words = await speak('Please send <two> & call back.');
		const late = createReport([notFound, notFound, words]);
		const failing = [
			createReport([notFound]),
			createReport([respondWithBytes('no audio', 'audio/x-wav')]),
		];
		const elsewhere = 'https://api.twilio.com.example.com/2010-04-01/Accounts/AC0/Recordings/RE0';
		const ignored = [
			createReport([words], { RecordingUrl: elsewhere }),
			createReport([words], { RecordingUrl: `${api}/Recordings/RE0?x=1` }),
			createReport([words], { RecordingStatus: 'absent' }),
		];
		expect(await report([late])).toEqual(['speech-to-text']);
		// Twilio reports it again, beside others.
		expect(await report([late, ...failing, ...ignored])).toEqual([]);
		const createPost = ({ RecordingUrl }: typeof late, text: string) => {
			const start = `*Call from ${caller}*, 7 s, <${RecordingUrl}|recording>\n${text}`;
			const starting = { channel: '#phone', text: expect.stringContaining(start) as string };
			return expect.objectContaining(starting) as object;
		};
		const noTranscript = 'No transcript. Please listen to the recording. (';
		const expected = [
			createPost(late, 'Please send &lt;two&gt; &amp; call back.'),
			...failing.map((one) => createPost(one, noTranscript)),
		];
		expect(posts).toHaveLength(expected.length);
		expect(posts).toEqual(expect.arrayContaining(expected));
	});
});

const notFound = respondWithJson({ code: 20404, message: 'not found', status: 404 }, 404);
