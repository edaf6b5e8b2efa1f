/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

let folder: string;

beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-demo-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (...names: string[]) => path.join(folder, ...names);

/** Writes a file of somebody else. */
function write(name: string, content = 'mine'): string {
	const file = inFolder(name);
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, content);
	return file;
}

/** Creates the folders as the demo does when it starts. Not the command: it may install packages first. */
function demoFolders(fresh: boolean, into = folder) {
	const script = `import { createFolders } from './dev/demo/folders.mjs';
await createFolders(process.argv[1], { fresh: ${fresh} });`;
	const args = ['--input-type=module', '--eval', script, into];
	const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
	return { status, stderr };
}

function createFolders(fresh: boolean, into?: string): void {
	expect(demoFolders(fresh, into)).toEqual({ status: 0, stderr: '' });
}

/** The demo must refuse this folder, and say why. */
function expectRefused(fresh: boolean): void {
	const { status, stderr } = demoFolders(fresh);
	expect(status).toBe(1);
	expect(stderr).toMatch(/Problem( \[Error\])?: The demo did not create .+--folder <path>/);
}

const someState = JSON.stringify({ id: 'a', login: { email: 'a', password: 'b' }, workflows: {} });

describe.each([true, false])('fresh: %s', (fresh) => {
	it.each<[string, string, string | undefined]>([
		['n8n', 'n8n/database.sqlite', '{}'],
		['n8n', 'n8n/database.sqlite', someState],
		['n8n', 'n8n/database.sqlite', undefined],
		['files', 'files/thesis.odt', someState],
		['files', 'files/thesis.odt', '{"name":"another program"}'],
		['files', 'files/thesis.odt', 'not JSON'],
	])(
		"leaves the folder '%s' of somebody else alone (%s), with the state file %s",
		(_name, file, state) => {
			const kept = [write(file), ...(state === undefined ? [] : [write('state.json', state)])];
			const before = kept.map((one) => readFileSync(one, 'utf8'));
			expectRefused(fresh);
			expect(kept.map((one) => readFileSync(one, 'utf8'))).toEqual(before);
		},
	);

	it.each<[string, string, () => void]>([
		[
			'folders alone whose state file is lost',
			'files/recordings/call.wav',
			() => {
				createFolders(false);
				rmSync(inFolder('state.json'));
			},
		],
		[
			'folders alone whose state file is from another demo',
			'n8n/database.sqlite',
			() => {
				mkdirSync(inFolder('other'));
				createFolders(false, inFolder('other'));
				cpSync(inFolder('other', 'state.json'), inFolder('state.json'));
			},
		],
		[
			'alone the target of a link that replaces one of its folders',
			'elsewhere/thesis.odt',
			() => {
				createFolders(false);
				cpSync(inFolder('files'), inFolder('elsewhere'), { recursive: true });
				rmSync(inFolder('files'), { recursive: true });
				symlinkSync(inFolder('elsewhere'), inFolder('files'));
			},
		],
	])('leaves %s', (_what, name, prepare) => {
		prepare();
		const kept = write(name);
		expectRefused(fresh);
		expect(existsSync(kept)).toBe(true);
	});
});

it('--fresh deletes what the demo created, and nothing else', () => {
	createFolders(false);
	const names = ['n8n/.n8n/database.sqlite', 'files/speech.wav', 'emulator/emulator.json'];
	const created = names.map((name) => write(name));
	const kept = [write('notes.txt'), write('other/files/a.txt')];
	createFolders(true);
	expect(created.map((file) => existsSync(file))).toEqual([false, false, false]);
	expect(kept.map((file) => existsSync(file))).toEqual([true, true]);
	expect(existsSync(inFolder('files', 'recordings'))).toBe(true);
});

it('a later run without --fresh keeps what an earlier one left, with the login', () => {
	createFolders(true);
	const state = readFileSync(inFolder('state.json'), 'utf8');
	const login = { email: expect.any(String) as string, password: expect.any(String) as string };
	expect(JSON.parse(state)).toMatchObject({ login });
	const data = write('n8n/.n8n/database.sqlite');
	createFolders(false);
	expect(existsSync(data)).toBe(true);
	expect(readFileSync(inFolder('state.json'), 'utf8')).toBe(state);
});

it('a full disk is one sentence, and leaves the last state', () => {
	createFolders(false);
	const state = readFileSync(inFolder('state.json'), 'utf8');
	symlinkSync('/dev/full', inFolder('state.json.new'));
	// Below the ports that systems assign to other tests' servers.
	const port = 20_000 + 3 * (process.pid % 4_000);
	const ports = ['--port', '--emulator-port', '--outside-port'].flatMap((option, index) => [
		option,
		String(port + index),
	]);
	const args = ['dev/demo/main.mjs', '--once', '--folder', folder, ...ports];
	const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
	expect(status).toBe(1);
	expect(stderr.trim()).toMatch(/^The disk is full: [^\n]+\.$/);
	expect(readFileSync(inFolder('state.json'), 'utf8')).toBe(state);
});
