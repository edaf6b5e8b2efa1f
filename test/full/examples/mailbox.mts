import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import getPort from 'get-port';

import { findUnprivilegedAccount } from '../../queue/cluster/postgres.mts';
import { createServer } from '../../queue/cluster/server.mts';

const dovecot = '/usr/sbin/dovecot';
const password = 'secret';

const readName = (database: 'passwd' | 'group', id: number) =>
	spawnSync('getent', [database, String(id)], { encoding: 'utf8' }).stdout.split(':')[0];

/** For Dovecot 2.3, which is in Debian 12 and Ubuntu 24.04: one IMAP mailbox, without root's rights. */
const createConfiguration = (folder: string, port: number, uid: number, gid: number) => `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
log_path = ${folder}/dovecot.log
default_internal_user = ${readName('passwd', uid)}
default_internal_group = ${readName('group', gid)}
default_login_user = ${readName('passwd', uid)}
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:${folder}/Maildir
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
}
service anvil {
  chroot =
}
`;

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** Starts an IMAP server with one mailbox. */
export async function startMailbox() {
	if (!existsSync(dovecot)) throw new Error('Dovecot is missing: apt-get install dovecot-imapd');
	const account = findUnprivilegedAccount();
	const { uid, gid } = account ?? userInfo();
	const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-mail-'));
	const getMaildirPath = (...names: string[]) => path.join(folder, 'Maildir', ...names);
	await chown(folder, uid, gid);
	for (const name of ['', 'new', 'cur', 'tmp']) {
		await mkdir(getMaildirPath(name));
		await chown(getMaildirPath(name), uid, gid);
	}
	const port = await getPort();
	const configFile = path.join(folder, 'dovecot.conf');
	await writeFile(configFile, createConfiguration(folder, port, uid, gid));
	const server = createServer({
		command: dovecot,
		args: ['-F', '-c', configFile],
		cwd: folder,
		...(account && { account }),
		logFile: path.join(folder, 'start.log'),
		stopSignal: 'SIGTERM',
		isUp: () => existsSync(path.join(folder, 'run', 'master.pid')),
	});
	await server.start();
	let delivered = 0;
	return {
		/** The credential for n8n's Email Trigger (IMAP). */
		credential: { user: 'voicemail@example.com', password, host: '127.0.0.1', port, secure: false },
		/** Delivers all messages at once, as every program delivers into a Maildir, so that what is in "new" is complete. */
		async deliver(messages: Buffer[]) {
			const files = messages.map(() => `${Date.now()}.${1000 + ++delivered}.test`);
			for (const [index, file] of files.entries()) {
				await writeFile(getMaildirPath('tmp', file), messages[index]!);
			}
			for (const file of files) {
				renameSync(getMaildirPath('tmp', file), getMaildirPath('new', file));
			}
		},
		/** Names of the files with messages that are not marked as read. */
		async listUnread() {
			const lists = [await readdir(getMaildirPath('new')), await readdir(getMaildirPath('cur'))];
			return lists.flat().filter((file) => !/:2,\w*S/.test(file));
		},
		async stop() {
			await server.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
