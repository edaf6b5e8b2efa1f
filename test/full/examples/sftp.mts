import { once } from 'node:events';
import { constants } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';

import { putCredential } from '../../../dev/n8n/rest.mts';
import { createNode, createVoiceNode, publishFlow } from '../../support/flow.mts';
import { speechToTextParameters } from '../../support/nodeParameters.mts';
import { readRepositoryFile } from '../../support/repository.mts';
import { runner } from './exampleRunner.mts';
import { requireOfN8n } from './mailServer.mts';

type Reply = (id: number, ...values: unknown[]) => void;

/** What this server uses of an SFTP session of the package ssh2. Requests begin with their ID, paths or handles follow. */
interface Session {
	on(event: string, listener: (id: number, target: never, ...values: never[]) => void): this;
	status: Reply;
	handle: Reply;
	name: Reply;
	data: Reply;
}

interface Ssh {
	Server: new (options: object, onConnection: (client: NodeJS.EventEmitter) => void) => Server;
	utils: { generateKeyPairSync(type: string): { private: string } };
}

const [ok, endOfFile] = [0, 1];

/** An SFTP server with one folder. It runs on the package that n8n's own FTP node uses. */
async function startSftpServer(readFiles: () => Record<string, Buffer>) {
	const ssh = requireOfN8n<Ssh>('ssh2');
	const attrs = { mode: constants.S_IFREG | 0o644, uid: 0, gid: 0, atime: 0, mtime: 0 };
	const serve = (session: Session) => {
		let listed = false;
		session
			.on('OPENDIR', (id) => {
				listed = false;
				session.handle(id, Buffer.from('folder'));
			})
			.on('READDIR', (id) => {
				if (listed) return session.status(id, endOfFile);
				listed = true;
				const files = Object.entries(readFiles()).map(([filename, file]) => ({
					filename,
					longname: `-rw-r--r-- 1 0 0 ${file.length} Jan 1 00:00 ${filename}`,
					attrs: { ...attrs, size: file.length },
				}));
				session.name(id, files);
			})
			.on('OPEN', (id, name) => session.handle(id, Buffer.from(name)))
			.on('READ', (id, handle, offset, length) => {
				const file = readFiles()[path.basename(String(handle))]!;
				const bytes = file.subarray(offset, Number(offset) + Number(length));
				return bytes.length > 0 ? session.data(id, bytes) : session.status(id, endOfFile);
			})
			.on('CLOSE', (id) => session.status(id, ok));
	};
	const server = new ssh.Server(
		{ hostKeys: [ssh.utils.generateKeyPairSync('ed25519').private] },
		(client) => {
			client
				.on('authentication', (context: { accept(): void }) => context.accept())
				.on('error', () => undefined)
				.on('session', (acceptSession: () => NodeJS.EventEmitter) => {
					acceptSession().on('sftp', (accept: () => Session) => serve(accept()));
				});
		},
	);
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return server;
}

/** A schedule lists a folder of an SFTP server, as docs/how-to.md says; here, a webhook is in place of the schedule. */
describe('the SFTP steps of docs/how-to.md', () => {
	const [, steps = ''] = /\*\*S3, MinIO, Dropbox and SFTP:\*\*([^]*?)\n\*\*Then,/.exec(
		readRepositoryFile('docs/how-to.md'),
	)!;
	const [, pattern = ''] = /`(\/\(\^[^`]+\/i)`/.exec(steps)!;
	const [, isUnchanged = ''] = /`(\{\{ \$\('FTP'\)[^`]+\}\})`/.exec(steps)!;
	let files: Record<string, Buffer> = {};
	let server: Server;
	let workflowId: string;

	beforeAll(async () => {
		server = await startSftpServer(() => files);
		const { rest, credential } = runner.demo;
		const { port } = server.address() as AddressInfo;
		const sftp = await putCredential(rest, {
			name: 'SFTP',
			type: 'sftp',
			data: { host: '127.0.0.1', port, username: 'n8n', password: 'secret', privateKey: '' },
		});
		const createFtp = (name: string, parameters: object) => ({
			...createNode(name, 'n8n-nodes-base.ftp', 1, {
				protocol: 'sftp',
				options: {},
				...parameters,
			}),
			credentials: { sftp },
		});
		const condition = (leftValue: string, type: string, operation: string, rightValue = '') => ({
			id: operation + rightValue,
			leftValue: `=${leftValue}`,
			rightValue,
			operator: { type, operation, ...(type === 'boolean' ? { singleValue: true } : {}) },
		});
		const list = { operation: 'list', path: '/calls' };
		const webhook = { httpMethod: 'POST', path: 'sftp', options: {} };
		const trigger = {
			...createNode('Webhook', 'n8n-nodes-base.webhook', 2, webhook),
			webhookId: 'sftp',
		};
		const nodes = [
			createFtp('FTP', list),
			createNode('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 1 }),
			{ ...createFtp('FTP1', list), executeOnce: true },
			createNode('Filter', 'n8n-nodes-base.filter', 2.2, {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
					conditions: [
						condition('{{ $json.type }}', 'string', 'equals', '-'),
						condition('{{ $json.path }}', 'string', 'regex', pattern),
						condition(isUnchanged, 'boolean', 'true'),
					],
					combinator: 'and',
				},
				options: {},
			}),
			createNode('Remove Duplicates', 'n8n-nodes-base.removeDuplicates', 2, {
				operation: 'removeItemsSeenInPreviousExecutions',
				logic: 'removeItemsWithAlreadySeenKeyValues',
				dedupeValue: '={{ $json.path }}',
				options: { historySize: 100_000 },
			}),
			createFtp('Download', { operation: 'download', path: '={{ $json.path }}' }),
			createVoiceNode(speechToTextParameters),
		];
		workflowId = await publishFlow(rest, { from: { trigger }, nodes }, credential);
	});
	afterAll(() => server?.close());

	/** Runs the schedule once; returns the transcripts and what was paid. */
	async function runSchedule() {
		const { execution, paid } = await runner.send(workflowId, 'sftp', {});
		return { texts: execution.items('Voice').map(({ json }) => json.text), paid };
	}

	it('an upload in progress is left for the next time, and only recordings are downloaded', async () => {
		const done = await runner.speak('I am complete.');
		const slow = await runner.speak('I am slow.');
		const names = ['.call.wav', 'call.wav.filepart', 'call.wav.txt', 'wav', 'Grüße 1.2.OGA'];
		let bytes = 0;
		files = {
			...Object.fromEntries(names.map((name) => [name, done])),
			'empty.wav': Buffer.alloc(0),
			/** It grows whenever somebody looks at it. */
			get 'slow.wav'() {
				bytes += 100;
				return slow.subarray(0, bytes);
			},
		};
		const paid = ['speech-to-text'];
		expect(await runSchedule()).toEqual({ texts: ['I am complete.'], paid });
		files = { ...files, 'slow.wav': slow };
		expect(await runSchedule()).toEqual({ texts: ['I am slow.'], paid });
	});
});
