import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer } from 'smtp-server';

import { root } from '../../../dev/lib/root.cjs';
import { newest } from '../../../dev/n8n/versions.mts';

interface Nodemailer {
	createTransport(options: object): { sendMail(mail: object): Promise<{ message: Buffer }> };
}

interface Mailparser {
	simpleParser(stream: Readable): Promise<{
		from?: { text: string };
		subject?: string;
		text?: string;
		attachments: Array<{ filename?: string; content: Buffer }>;
	}>;
}

/** Loads a package of the n8n that runs the examples, so that this repository needs no copy. */
export function requireOfN8n<T>(name: string): T {
	const n8n = `${root}/.n8n-versions/n8n-${process.env.TEST_N8N ?? newest}/package.json`;
	return createRequire(n8n)(name) as T;
}

/** A message as mail programs send it. */
export async function composeMail(mail: object): Promise<Buffer> {
	const { createTransport } = requireOfN8n<Nodemailer>('nodemailer');
	const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
	return (await transport.sendMail(mail)).message;
}

/** An SMTP server that keeps what it receives. It refuses every address that begins with "gone@". */
export class MailServer {
	readonly sent: object[] = [];

	private readonly parser = requireOfN8n<Mailparser>('mailparser');

	private readonly server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['AUTH', 'STARTTLS'],
		onRcptTo: ({ address }, _session, done) =>
			done(address.startsWith('gone@') ? new Error('No such mailbox') : null),
		onData: (stream, { envelope }, done) => {
			void this.parser.simpleParser(stream).then(({ from, subject, text, attachments }) => {
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
		await new Promise<void>((resolve) => this.server.close(resolve));
	}
}
