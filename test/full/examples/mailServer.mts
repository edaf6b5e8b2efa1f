import { simpleParser } from 'mailparser';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { SMTPServer } from 'smtp-server';

/** A message as mail programs send it. */
export async function composeMail(mail: SendMailOptions): Promise<Buffer> {
	const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
	return (await transport.sendMail(mail)).message as Buffer;
}

/** An SMTP server that keeps what it receives. It refuses every address that begins with "gone@". */
export class MailServer {
	readonly sent: object[] = [];

	private readonly server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['AUTH', 'STARTTLS'],
		onRcptTo: ({ address }, _session, done) =>
			done(address.startsWith('gone@') ? new Error('No such mailbox') : null),
		onData: (stream, { envelope }, done) => {
			void simpleParser(stream).then(({ from, subject, text, attachments }) => {
				this.sent.push({
					from: from?.text,
					to: envelope.rcptTo.map(({ address }) => address).join(),
					subject,
					text,
					attachments: attachments.map(({ filename, content }) => ({ filename, content })),
				});
				done();
			}, done);
		},
	});

	async start(): Promise<void> {
		this.server.listen(0, '127.0.0.1');
		await once(this.server.server, 'listening');
	}

	/** The credential for n8n's Send Email node. */
	get credential() {
		const { port } = this.server.server.address() as AddressInfo;
		return { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	}

	async stop(): Promise<void> {
		await new Promise((resolve) => this.server.close(() => resolve(undefined)));
	}
}
