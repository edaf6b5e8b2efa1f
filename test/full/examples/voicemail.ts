import { json, type Part } from '../../support/scriptedServer';
import type { Stage } from './stage';

/** A telephone system sends voicemails; the tickets arrive at a server in place of the ticket system. */
export function voicemail(stage: () => Stage): void {
	const example = 'voicemail-to-ticket';

	beforeAll(async () => {
		const { outside } = stage();
		// With words as a person may type them.
		const words = { personAnswer: 'Human', machineAnswer: 'Machine ' };
		await stage().publish(example, { ticketAddress: `${outside.baseUrl}/tickets`, ...words });
	});
	beforeEach(() => stage().outside.reset(json({})));
	afterEach(async () => {
		const creditCosts = { 'speech-to-text': 2 };
		const others = { undocumentedPayload: 'either', extraResponseFields: false };
		await stage().emulate({ ...others, creditCosts });
	});

	function voicemailOf(recordings: File[]): FormData {
		const body = new FormData();
		body.append('from', '+49 30 123456');
		for (const recording of recordings) body.append('recording', recording);
		return body;
	}

	/** The tickets that arrived. */
	const arrived = () =>
		stage().outside.requests.map(({ parts }) => {
			const one = (name: string): Part => parts.find((part) => part.name === name)!;
			const text = (name: string) => one(name).body.toString();
			return {
				...{ subject: text('subject'), text: text('text'), state: text('state') },
				recording: one('recording').body,
			};
		});

	/** Leaves a voicemail; gives the tickets that came of it. */
	async function leave(...recordings: File[]) {
		const { paid } = await stage().send(example, 'voicemail', voicemailOf(recordings));
		return { tickets: arrived(), paid };
	}

	it('what a person said becomes a ticket, with the recording', async () => {
		const text = 'My heating is broken, please help.';
		const recording = await stage().recordingOf(text);
		const { tickets, paid } = await leave(recording);
		expect(tickets).toEqual([
			{
				subject: 'Voicemail from +49 30 123456',
				...{ text, state: 'new', recording: Buffer.from(await recording.arrayBuffer()) },
			},
		]);
		expect(paid).toEqual(['amd', 'speech-to-text']);
	});

	it('a machine makes no ticket, and is not transcribed', async () => {
		const { tickets, paid } = await leave(
			await stage().recordingOf('You have reached our voicemail. Leave a message after the tone.'),
		);
		expect(tickets).toEqual([]);
		expect(paid).toEqual(['amd']);
	});

	it('where detection does not answer, a person is asked to listen', async () => {
		const text = 'Call me, please.';
		const recording = await stage().recordingOf(text);
		await stage().emulate({ undocumentedPayload: 'text' });
		const { tickets, paid } = await leave(recording);
		expect(tickets).toMatchObject([{ text, state: 'listen' }]);
		expect(paid).toEqual(['speech-to-text']);
	});

	/** Recordings that say these texts. n8n's webhook has files in the order in which they were saved, not sent. */
	const recordingsOf = async (texts: string[]) =>
		await Promise.all(texts.map(async (text) => await stage().recordingOf(text)));

	it('each recording becomes a ticket, also if detection fails for one', async () => {
		const texts = ['My heating is broken.', 'It is cold here.'];
		const { tickets, paid } = await leave(...(await recordingsOf(texts)), stage().notAudio());
		const expected = [{ state: 'listen', recording: Buffer.from('no audio at all') }];
		expect(tickets).toHaveLength(3);
		expect(tickets.filter(({ state }) => state === 'listen')).toMatchObject(expected);
		for (const text of texts) {
			const ticket = tickets.find((one) => one.text === text);
			expect(ticket).toMatchObject({ state: 'new', recording: await stage().speak(text) });
		}
		expect(paid).toEqual(['amd', 'amd', 'speech-to-text', 'speech-to-text']);
	});

	describe('if the ticket system refuses the second of three tickets', () => {
		const three = ['One.', 'Three.', 'Two.'];
		const texts = () => arrived().map(({ text }) => text);

		/** The response to the others is an empty list, which n8n turns into no items. */
		function refuse(times: number) {
			stage().outside.reset((request, response, index) =>
				json([], index >= 1 && index <= times ? 503 : 201)(request, response, index),
			);
		}

		it('only that one is sent again', async () => {
			refuse(1);
			await leave(...(await recordingsOf(three)));
			const [first, second, again, last] = texts();
			expect(again).toBe(second);
			expect([first, second, last].sort()).toEqual(three);
			expect(texts()).toHaveLength(4);
		});

		it('three times, "Retry" in the list of executions continues with it', async () => {
			refuse(3);
			const body = voicemailOf(await recordingsOf(three));
			const { execution } = await stage().send(example, 'voicemail', body, 'error');
			const [first, second, ...again] = texts();
			expect(again).toEqual([second, second]);
			const { paid } = await stage().retry(execution);
			const [retried, last, ...others] = texts().slice(4);
			expect(retried).toBe(second);
			expect([first, retried, last].sort()).toEqual(three);
			expect([others, paid]).toEqual([[], []]);
		});
	});

	it('a message without a recording becomes a ticket without a call', async () => {
		const { tickets, paid } = await leave();
		expect(tickets).toEqual([
			{
				subject: 'Voicemail from +49 30 123456',
				text: 'No recording arrived. Please call back.',
				...{ state: 'listen', recording: Buffer.from('') },
			},
		]);
		expect(paid).toEqual([]);
	});

	it('a recording that can not be transcribed reaches a person too', async () => {
		const { tickets, paid } = await leave(stage().notAudio());
		const recording = Buffer.from('no audio at all');
		expect(tickets).toMatchObject([{ state: 'listen', recording }]);
		expect(tickets[0]!.text).toMatch(
			/^Please listen to the recording\. No transcript: The file 'broken\.wav' is text/,
		);
		expect(paid).toEqual([]);
	});

	it('a text in the response of detection is not taken for the transcript', async () => {
		const creditCosts = { 'speech-to-text': 1_000_000 };
		const recording = await stage().recordingOf('Call me, please.');
		await stage().emulate({ extraResponseFields: true, creditCosts });
		const { tickets, paid } = await leave(recording);
		const text = expect.stringMatching(/No transcript: .* \(402\)/) as string;
		expect(tickets).toMatchObject([{ text, state: 'listen' }]);
		expect(paid).toEqual(['amd']);
	});
}
