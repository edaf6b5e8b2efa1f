import { respondWithJson, type Part } from '../../support/servers/scriptedServer.mts';
import { createForm } from '../../support/createForm.mts';
import type { ExampleRunner } from './exampleRunner.mts';

/** A telephone system sends voicemails; the tickets arrive at a server in place of the ticket system. */
export function testVoicemail(runner: () => ExampleRunner): void {
	const example = 'voicemail-to-ticket';
	const from = '+49 30 123456';
	const subject = `Voicemail from ${from}`;

	beforeAll(async () => {
		const ticketAddress = `${runner().scriptedServer.baseUrl}/tickets`;
		// With words as a person may type them.
		const words = { personAnswer: 'Human', machineAnswer: 'Machine ' };
		await runner().publish(example, { ticketAddress, ...words });
	});

	/** The tickets that the scripted server received. */
	const listTickets = () =>
		runner().scriptedServer.requests.map(({ parts }) => {
			const findPart = (name: string): Part => parts.find((part) => part.name === name)!;
			const readText = (name: string) => findPart(name).body.toString();
			return {
				subject: readText('subject'),
				text: readText('text'),
				state: readText('state'),
				recording: findPart('recording').body,
			};
		});

	/** Recordings that say these texts. n8n's webhook has files in the order in which they were saved, not sent. */
	const createRecordings = async (texts: string[]) =>
		await Promise.all(texts.map(async (text) => await runner().createRecording(text)));

	/** Leaves a voicemail; returns the tickets that came of it. */
	async function leave(recording: File[], status?: string) {
		const body = createForm({ from, recording });
		const { execution, paid } = await runner().send(example, 'voicemail', body, status);
		return { execution, paid, tickets: listTickets() };
	}

	it('each recording becomes a ticket, and a person is asked to listen if one has no transcript', async () => {
		const texts = ['My heating is broken.', 'It is cold here.'];
		const recordings = await createRecordings(texts);
		const { tickets, paid } = await leave([...recordings, runner().createNoAudio()]);
		const transcribed = texts.map(async (text) => {
			return { subject, text, state: 'new', recording: await runner().speak(text) };
		});
		const notTranscribed =
			/^Please listen to the recording\. No transcript: The file 'broken\.wav'/;
		expect(tickets).toHaveLength(3);
		expect(tickets).toEqual(
			expect.arrayContaining([
				...(await Promise.all(transcribed)),
				{
					subject,
					text: expect.stringMatching(notTranscribed) as string,
					state: 'listen',
					recording: Buffer.from('no audio at all'),
				},
			]),
		);
		expect(paid).toEqual(['amd', 'amd', 'speech-to-text', 'speech-to-text']);
	});

	it('a machine makes no ticket, and is not transcribed', async () => {
		const { tickets, paid } = await leave([
			await runner().createRecording(
				'You have reached our voicemail. Leave a message after the tone.',
			),
		]);
		expect(tickets).toEqual([]);
		expect(paid).toEqual(['amd']);
	});

	it('a person is asked to listen where detection does not answer', async () => {
		const text = 'Call me, please.';
		await runner().changeSettings({ undocumentedPayload: 'text' });
		const { tickets, paid } = await leave(await createRecordings([text]));
		expect(tickets).toMatchObject([{ text, state: 'listen' }]);
		expect(paid).toEqual(['speech-to-text']);
	});

	it('a text in the response of detection is not taken for the transcript', async () => {
		const recordings = await createRecordings(['Call me, please.']);
		const creditCosts = { 'speech-to-text': 1_000_000 };
		await runner().changeSettings({ extraResponseFields: true, creditCosts });
		const { tickets, paid } = await leave(recordings);
		const text = expect.stringMatching(/No transcript: .* \(402\)/) as string;
		expect(tickets).toMatchObject([{ text, state: 'listen' }]);
		expect(paid).toEqual(['amd']);
	});

	it('a message without a recording becomes a ticket without a call', async () => {
		const { tickets, paid } = await leave([]);
		const text = 'No recording arrived. Please call back.';
		expect(tickets).toEqual([{ subject, text, state: 'listen', recording: Buffer.from('') }]);
		expect(paid).toEqual([]);
	});

	it('only the refused one of three tickets is sent again, at last by "Retry"', async () => {
		const three = ['One.', 'Three.', 'Two.'];
		// The response to the others is an empty list, which n8n turns into no items.
		runner().scriptedServer.reset((request, response, index) =>
			respondWithJson([], index >= 1 && index <= 3 ? 503 : 201)(request, response, index),
		);
		const { execution } = await leave(await createRecordings(three), 'error');
		expect((await runner().retry(execution)).paid).toEqual([]);
		const [first, second, ...others] = listTickets().map(({ text }) => text);
		const last = others.pop();
		expect(others).toEqual([second, second, second]);
		expect([first, second, last].sort()).toEqual(three);
	});
}
