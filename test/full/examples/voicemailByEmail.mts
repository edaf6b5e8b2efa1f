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
	let first: Buffer;
	let firstMails: Awaited<ReturnType<typeof receive>>;

	beforeAll(async () => {
		await server.start();
		mailbox = await startMailbox();
		await runner.publish(example, {}, [
			{ nodeType: 'emailReadImap', type: 'imap', data: mailbox.credential },
			{ nodeType: 'emailSend', type: 'smtp', data: server.credential },
		]);
		firstMails = await receiveFirst();
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
	/** A message that could not be delivered, as a mail server sends it back. */
	const createBounce = (message: Buffer) => {
		const headers = ['From: MAILER-DAEMON@example.com', `To: ${own}`, 'Subject: Undeliverable'];
		const type = 'Content-Type: multipart/report; report-type=delivery-status; boundary=b';
		const inner = ['--b', 'Content-Type: message/rfc822', '', message.toString(), '--b--', ''];
		return Buffer.from([...headers, 'MIME-Version: 1.0', type, '', ...inner].join('\r\n'));
	};
	const createTranscriptMail = (name: string, text: string) => ({
		from: own,
		to: 'joerg.mueller@example.com',
		subject: 'Re: Nachricht für Ärztin Öztürk',
		text: `Transcript of ${name}, from "Jörg Müller" <joerg.mueller@example.com>:\n\n${text}\n`,
		attachments: [],
	});

	// Recordings are known by their endings or by their types.
	const kinds = ['a.oga', 'b.WEBM', 'c.3gp', 'd.qta', 'e.mp4', 'f'];
	const createKind = async (filename: string) => ({
		...(await createRecording('I am a recording.', filename)),
		contentType: filename === 'f' ? 'video/quicktime' : 'application/octet-stream',
	});

	async function receiveFirst() {
		const callBack = await createRecording('Bitte rufen Sie zurück.', 'Rückruf für Öz.wav');
		const attachments = [picture, callBack];
		first = await compose({ attachments });
		const mp3 = { filename: 'Grüße.MP3', content: readAudioFile('lame-vbr.mp3') };
		const untyped = { ...mp3, contentType: 'application/octet-stream' };
		const toPerson = { subject: 'Please look at a voicemail: hello', attachments };
		return await receive(
			first,
			await compose({ attachments: [await createRecording('One.', 'msg0001.wav'), untyped] }),
			await compose({ attachments: await Promise.all(kinds.map(createKind)) }),
			await compose({}),
			await compose({ attachments: [picture] }),
			// What this workflow sends to a person, and what comes back, must not go round in circles.
			await compose(toPerson),
			createBounce(await compose(toPerson)),
		);
	}

	it('the sender gets a transcript of each recording, and the rest costs nothing', () => {
		const { sent, paid } = firstMails;
		const ofMp3 = createTranscriptMail('Grüße.MP3', '(sentence of the emulator)');
		expect(sent).toEqual([
			createTranscriptMail('Rückruf für Öz.wav', 'Bitte rufen Sie zurück.'),
			createTranscriptMail('msg0001.wav', 'One.'),
			{ ...ofMp3, text: expect.stringMatching(/^Transcript of Grüße\.MP3.*\n\n.*MP/) as string },
			...kinds.map((name) => createTranscriptMail(name, 'I am a recording.')),
		]);
		expect(paid).toEqual(sent.map(() => 'speech-to-text'));
	});

	it('a person gets what fails, and a message that comes twice is paid once', async () => {
		const broken = { filename: 'Störung.wav', content: Buffer.from('no audio at all') };
		const unheard = [await createRecording('Who hears me?', 'msg0003.wav')];
		const { sent, paid } = await receive(
			first,
			await compose({ attachments: [broken, await createRecording('I am fine.', 'msg0002.wav')] }),
			await compose({ from: 'gone@example.com', attachments: unheard }),
		);
		const subject = 'Please look at a voicemail: Nachricht für Ärztin Öztürk';
		const toPerson = (text: RegExp, attachments: object[] = []) => ({
			from: own,
			to: 'office@example.com',
			subject,
			attachments,
			text: expect.stringMatching(text) as string,
		});
		const noTranscript = /^File: Störung\.wav\nFrom: .*Müller.*\n\nNo transcript: .*not/;
		const notSent = /could not be sent: .*No such mailbox[^]*Transcript: Who hears me\?/;
		expect(sent).toHaveLength(3);
		expect(sent).toContainEqual(createTranscriptMail('msg0002.wav', 'I am fine.'));
		expect(sent).toContainEqual(toPerson(noTranscript, [broken]));
		expect(sent).toContainEqual(toPerson(notSent));
		expect(paid).toEqual(['speech-to-text', 'speech-to-text']);
	});
});
