import type { Part } from '../../support/scriptedServer';
import type { Stage } from './stage';

/** A telephone system sends voicemails; the tickets arrive at a server in place of the ticket system. */
export function voicemail(stage: () => Stage): void {
	const example = 'voicemail-to-ticket';

	beforeAll(async () => {
		const { outside } = stage();
		await stage().publish(example, { ticketAddress: `${outside.baseUrl}/tickets` });
	});
	beforeEach(() => stage().outside.reset());
	afterEach(async () => await stage().emulate({ undocumentedPayload: 'either' }));

	/** Leaves a voicemail; gives the tickets that came of it. */
	async function leave(...recordings: File[]) {
		const body = new FormData();
		body.append('from', '+49 30 123456');
		for (const recording of recordings) body.append('recording', recording);
		const { paid } = await stage().send(example, 'voicemail', body);
		const tickets = stage().outside.requests.map(({ parts }) => {
			const one = (name: string): Part => parts.find((part) => part.name === name)!;
			const text = (name: string) => one(name).body.toString();
			return {
				...{ subject: text('subject'), text: text('text'), state: text('state') },
				recording: one('recording').body,
			};
		});
		return { tickets, paid };
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

	it('each of two recordings becomes a ticket', async () => {
		const texts = ['My heating is broken.', 'It is cold here.'];
		const recordings = await Promise.all(
			texts.map(async (text) => await stage().recordingOf(text)),
		);
		const { tickets, paid } = await leave(...recordings);
		const spoken = await Promise.all(texts.map(async (text) => await stage().speak(text)));
		expect(tickets).toMatchObject(
			texts.map((text, index) => ({ text, state: 'new', recording: spoken[index] })),
		);
		expect(paid).toEqual(['amd', 'amd', 'speech-to-text', 'speech-to-text']);
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
		expect(tickets[0]!.text).toMatch(/^No transcript: .*Please listen to the recording\.$/);
		expect(paid).toEqual([]);
	});
}
