import { readAudioFile } from '../../support/media/audioFiles.mts';
import { startMailbox, type Mailbox } from './mailbox.mts';
import { composeMail, MailServer } from './mailServer.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** Voicemails arrive in a real mailbox; what n8n sends arrives at a real mail server. */
describeExample('voicemail-by-email', (example) => {
	const own = 'voicemail@example.com';
	const picture = { filename: 'Unterschrift.png', content: readAudioFile('picture-png.bin') };
	const voicemail = {
		from: '"Jörg Müller" <joerg.mueller@example.com>',
		to: own,
		subject: 'Nachricht für Ärztin Öztürk',
		text: 'You have a new voicemail.',
	};
	const server = new MailServer();
	let mailbox: Mailbox;

	beforeAll(async () => {
		await server.start();
		mailbox = await startMailbox();
		await runner.publish(example, {}, [
			{ nodeType: 'emailReadImap', type: 'imap', data: mailbox.credential },
			{ nodeType: 'emailSend', type: 'smtp', data: server.credential },
		]);
	});
	afterAll(async () => {
		await server.stop();
		await mailbox?.stop();
	});

	/** Delivers all messages at once, as n8n checks the mailbox up to 15 s later. Returns what was sent and paid. */
	async function receive(...messages: Buffer[]) {
		const deliver = async () => await mailbox.deliver(messages);
		const { execution, paid } = await runner.startAndWait(example, deliver);
		expect(execution.items('Voicemail Received')).toHaveLength(messages.length);
		expect(await mailbox.listUnread()).toEqual([]);
		return { sent: server.sent.splice(0), paid };
	}

	const createRecording = async (text: string, filename: string) => ({
		filename,
		content: await runner.speak(text),
	});
	const compose = async (mail: object) => await composeMail({ ...voicemail, ...mail });
	const createTranscriptMail = (name: string, text: string) => ({
		from: own,
		to: 'joerg.mueller@example.com',
		subject: 'Re: Nachricht für Ärztin Öztürk',
		text: `Transcript of ${name}, from "Jörg Müller" <joerg.mueller@example.com>:\n\n${text}\n`,
		attachments: [],
	});

	it('sends a transcript of each recording to its sender, once, and what fails to a person', async () => {
		const callBack = await createRecording('Bitte rufen Sie zurück.', 'Rückruf für Öz.wav');
		const attachments = [picture, callBack];
		const first = await compose({ attachments });
		const mp3 = {
			filename: 'Grüße.MP3',
			content: readAudioFile('lame-vbr.mp3'),
			contentType: 'application/octet-stream',
		};
		const untitled = { ...(await createRecording('Two.', 'two')), contentType: 'video/quicktime' };
		const broken = { filename: 'Störung.wav', content: Buffer.from('no audio at all') };
		const unheard = [await createRecording('Who hears me?', 'msg0003.wav')];
		const personSubject = `Please look at a voicemail: ${voicemail.subject}`;
		const undelivered = await compose({ subject: 'Undeliverable', attachments });
		const { sent, paid } = await receive(
			first,
			// Recordings are known by their endings or by their types.
			await compose({ attachments: [await createRecording('One.', 'one.wav'), mp3, untitled] }),
			await compose({ attachments: [broken, await createRecording('I am fine.', 'fine.wav')] }),
			await compose({ from: 'gone@example.com', attachments: unheard }),
			await compose({}),
			await compose({ attachments: [picture] }),
			// What this workflow sends to a person, and what comes back, must not go round in circles.
			await compose({ subject: personSubject, attachments }),
			await compose({ headers: { 'Auto-Submitted': 'auto-replied' }, attachments }),
			Buffer.from(undelivered.toString().replace('multipart/mixed', 'multipart/report')),
		);
		const ofMp3 = createTranscriptMail('Grüße.MP3', '(sentence of the emulator)');
		const transcripts = [
			createTranscriptMail('Rückruf für Öz.wav', 'Bitte rufen Sie zurück.'),
			createTranscriptMail('one.wav', 'One.'),
			{ ...ofMp3, text: expect.stringMatching(/^Transcript of Grüße\.MP3.*\n\n.*MP/) as string },
			createTranscriptMail('two', 'Two.'),
			createTranscriptMail('fine.wav', 'I am fine.'),
		];
		const createPersonMail = (text: RegExp, attachments: object[] = []) => ({
			from: own,
			to: 'office@example.com',
			subject: personSubject,
			attachments,
			text: expect.stringMatching(text) as string,
		});
		const noTranscript = /^File: Störung\.wav\nFrom: .*Müller.*\n\nNo transcript: .*not/;
		const notSent = /could not be sent: .*No such mailbox[^]*Transcript: Who hears me\?/;
		expect(sent).toEqual([
			...transcripts,
			createPersonMail(notSent),
			createPersonMail(noTranscript, [broken]),
		]);
		expect(paid).toEqual([...transcripts, unheard].map(() => 'speech-to-text'));

		// The same message arrives again.
		expect(await receive(first)).toEqual({ sent: [], paid: [] });
	});
});
