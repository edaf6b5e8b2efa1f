// Mails as mail programs write them, and a mail server for those that n8n sends.
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../../../dev/n8n/ports.mjs';

/** @typedef {{from: string, to: string, subject: string, text: string, attachments: {name: string, bytes: Buffer}[]}} SentMail */

/**
 * @typedef {object} MailServer
 * @property {Record<string, unknown>} credential for n8n's Send Email
 * @property {SentMail[]} sent
 * @property {Set<string>} unknown addresses that it refuses
 * @property {() => Promise<void>} stop
 */

/**
 * @param {import('nodemailer').SendMailOptions} mail
 * @returns {Promise<Buffer>} the message as mail programs send it
 */
export async function composeMail(mail) {
	const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
	return /** @type {Buffer} */ ((await transport.sendMail(mail)).message);
}

/** @returns {Promise<MailServer>} */
export async function startMailServer() {
	/** @type {SentMail[]} */
	const sent = [];
	/** @type {Set<string>} */
	const unknown = new Set();
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['AUTH', 'STARTTLS'],
		onRcptTo: ({ address }, _session, done) =>
			done(unknown.has(address) ? new Error('No such mailbox') : null),
		async onData(stream, { envelope }, done) {
			const mail = await simpleParser(stream);
			sent.push({
				from: mail.from?.text ?? '',
				to: envelope.rcptTo.map(({ address }) => address).join(),
				subject: mail.subject ?? '',
				text: mail.text ?? '',
				attachments: mail.attachments.map(({ filename, contentDisposition, content }) => ({
					name: `${contentDisposition}: ${filename}`,
					bytes: content,
				})),
			});
			done();
		},
	});
	const port = await freePort();
	await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
	return {
		credential: { host: '127.0.0.1', port, secure: false, disableStartTls: true },
		sent,
		unknown,
		stop: async () => await new Promise((resolve) => server.close(() => resolve(undefined))),
	};
}
