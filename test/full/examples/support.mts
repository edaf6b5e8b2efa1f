import { createForm } from '../../support/createForm.mts';
import { describeExample, runner } from './exampleRunner.mts';

type Fields = Parameters<typeof createForm>[0];

/** Messages come in by webhook; the demo's stand-in for the help desk gets them with their team. */
describeExample('support-inbox-by-intent', (example) => {
	it('sorts texts and recordings by team and priority, and leaves what failed to a person', async () => {
		// Words as a person may type them.
		await runner.publish(example, {
			negativeAnswer: 'Negative',
			calmAnswers: 'Neutral, Positive',
			intentField: 'intent',
			cancelAnswer: ' Cancel',
			payAnswer: 'Pay',
			complainAnswer: 'COMPLAIN',
		});
		const text = 'Please cancel it.';
		const [twice, awful] = ['I love it, but you charged me twice.', 'This is awful.'];
		const spokenTwice = await runner.createRecording(twice);
		const spokenAwful = await runner.createRecording(awful);
		const broken = runner.createNoAudio();
		const picture = new File(['\x89PNG\r\n\x1a\n'], 'photo.png', { type: 'image/png' });
		const toPerson = { team: 'person', problem: expect.stringMatching(/./) as string };
		const attached = { ...toPerson, recording: 'broken.wav (15 bytes)' };
		const messages: Array<[sent: Fields, expected: object]> = [
			[{ text: 'This is terrible! Cancel it.' }, { team: 'retention', priority: 'high' }],
			[{ text: 'Thank you! May I have the invoice?' }, { team: 'billing', priority: 'normal' }],
			[{ text: 'This is awful, I want a refund.' }, { team: 'complaints', priority: 'high' }],
			[{ text: 'Hello there.' }, { team: 'person', priority: 'normal' }],
			[{ recording: spokenTwice }, { text: twice, team: 'billing', priority: 'normal' }],
			[
				{ text, recording: spokenAwful },
				{ text: `${text}\n\n${awful}`, team: 'retention', priority: 'high' },
			],
			[{ text, recording: broken }, attached],
			[{ text, picture, recording: broken }, attached],
			[{ text: '' }, { ...toPerson, priority: 'check' }],
		];
		const send = async () => {
			for (const [index, [fields]] of messages.entries()) {
				const form = createForm({ from: String(index), ...fields });
				expect((await runner.post('support-message', form)).status).toBe(200);
			}
		};
		const { paid } = await runner.startAllAndWait(example, send, messages.length);
		const handedOver = runner.deliveries.map(({ content }) => content as { from: string });
		handedOver.sort((a, b) => Number(a.from) - Number(b.from));
		expect(handedOver).toMatchObject(
			messages.map(([{ text }, expected], index) => ({
				from: String(index),
				...(text !== undefined && { text }),
				problem: '',
				recording: '',
				...expected,
			})),
		);
		// A message without text is not sent.
		const judged = messages.slice(0, -1);
		const transcribed = ['speech-to-text', 'speech-to-text'];
		const judgements = ['intent', 'sentiment'].flatMap((name) => judged.map(() => name));
		expect(paid.sort()).toEqual([...judgements, ...transcribed]);
	});
});
