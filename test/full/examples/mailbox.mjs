import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../dev/n8n/ports.mjs';
import { unprivilegedAccount } from '../../../dev/n8n/queue/postgres.mjs';
import { createServer } from '../../../dev/n8n/queue/server.mjs';

/**
 * @typedef {object} Mailbox
 * @property {Record<string, unknown>} credential for n8n's Email Trigger (IMAP)
 * @property {(messages: Buffer[]) => Promise<void>} deliver all of them at once
 * @property {() => Promise<string[]>} unread names of the files with messages that are not marked as read
 * @property {() => Promise<void>} stop
 */

const user = 'voicemail@example.com';
const password = 'secret';

/**
 * Starts Dovecot, without root's rights, with one mailbox.
 * @returns {Promise<Mailbox>}
 */
export async function startMailbox() {
	const dovecot = '/usr/sbin/dovecot';
	if (!existsSync(dovecot)) throw new Error('Dovecot is missing: apt-get install dovecot-imapd');
	const account = unprivilegedAccount();
	const { uid, gid } = account ?? userInfo();
	const folder = await mkdtemp(join(tmpdir(), 'voice-speech-mail-'));
	const maildir = join(folder, 'Maildir');
	const inMaildir = ['new', 'cur', 'tmp'].map((name) => join(maildir, name));
	for (const path of [folder, maildir, ...inMaildir]) {
		await mkdir(path, { recursive: true });
		await chown(path, uid, gid);
	}
	const port = await freePort();
	const configFile = join(folder, 'dovecot.conf');
	await writeFile(join(folder, 'passwords'), `${user}:{PLAIN}${password}:${uid}:${gid}::${folder}`);
	await writeFile(configFile, configuration({ folder, maildir, port, uid, gid }));
	const server = createServer({
		...{ command: dovecot, args: ['-F', '-c', configFile], port, cwd: folder, account },
		logFile: join(folder, 'start.log'),
		stopSignal: 'SIGTERM',
		isUp: () => existsSync(join(folder, 'run', 'master.pid')),
	});
	await server.start();
	let delivered = 0;
	return {
		credential: { user, password, host: '127.0.0.1', port, secure: false },
		async deliver(messages) {
			// As every program delivers into a Maildir: what is in "new" is complete.
			const files = messages.map(() => `${Date.now()}.${1000 + ++delivered}.test`);
			for (const [index, file] of files.entries()) {
				await writeFile(join(maildir, 'tmp', file), messages[index] ?? '');
			}
			for (const file of files) renameSync(join(maildir, 'tmp', file), join(maildir, 'new', file));
		},
		async unread() {
			const files = await Promise.all(['new', 'cur'].map((name) => readdir(join(maildir, name))));
			return files.flat().filter((file) => !/:2,\w*S/.test(file));
		},
		async stop() {
			await server.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/**
 * For Dovecot 2.3, which is in Debian 12 and Ubuntu 24.04.
 * @param {{folder: string, maildir: string, port: number, uid: number, gid: number}} options
 */
function configuration({ folder, maildir, port, uid, gid }) {
	const name = nameOf('passwd', uid);
	return `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
log_path = ${folder}/dovecot.log
default_internal_user = ${name}
default_internal_group = ${nameOf('group', gid)}
default_login_user = ${name}
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:${maildir}
passdb {
  driver = passwd-file
  args = ${folder}/passwords
}
userdb {
  driver = passwd-file
  args = ${folder}/passwords
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
`;
}

/**
 * @param {'passwd' | 'group'} database
 * @param {number} id
 */
const nameOf = (database, id) =>
	spawnSync('getent', [database, String(id)], { encoding: 'utf8' }).stdout.split(':')[0];
