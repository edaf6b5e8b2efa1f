/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
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
function createFolders({ fresh = false, into = folder } = {}): string {
	const script = `import { createFolders } from './dev/demo/folders.mjs';
await createFolders(process.argv[1], { fresh: ${fresh} });`;
	const args = ['--input-type=module', '--eval', script, into];
	return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).stderr;
}

const refusal = /Problem( \[Error\])?: The demo did not create .+--folder <path>/;
const someState = JSON.stringify({ id: 'a', login: { email: 'a', password: 'b' }, workflows: {} });

it.each<[string, string, () => void]>([
	['a folder without a state file', 'n8n/database.sqlite', () => {}],
	[
		'a folder with a state file of its own',
		'n8n/database.sqlite',
		() => write('state.json', someState),
	],
	[
		'a folder with a state file of another program',
		'files/thesis.odt',
		() => write('state.json', 'not JSON'),
	],
	[
		'folders whose state file is lost',
		'files/recordings/call.wav',
		() => {
			createFolders();
			rmSync(inFolder('state.json'));
		},
	],
	[
		'folders whose state file is from another demo',
		'n8n/database.sqlite',
		() => {
			mkdirSync(inFolder('other'));
			createFolders({ into: inFolder('other') });
			cpSync(inFolder('other', 'state.json'), inFolder('state.json'));
		},
	],
	[
		'the target of a link that replaces one of its folders',
		'elsewhere/thesis.odt',
		() => {
			createFolders();
			cpSync(inFolder('files'), inFolder('elsewhere'), { recursive: true });
			rmSync(inFolder('files'), { recursive: true });
			symlinkSync(inFolder('elsewhere'), inFolder('files'));
		},
	],
])('leaves %s alone, with --fresh too', (_what, name, prepare) => {
	prepare();
	const kept = write(name);
	for (const fresh of [false, true]) expect(createFolders({ fresh })).toMatch(refusal);
	expect(existsSync(kept)).toBe(true);
});

it('--fresh deletes what the demo created, and nothing else', () => {
	createFolders();
	const names = ['n8n/.n8n/database.sqlite', 'files/speech.wav', 'emulator/emulator.json'];
	const created = names.map((name) => write(name));
	const kept = [write('notes.txt'), write('other/files/a.txt')];
	expect(createFolders({ fresh: true })).toBe('');
	expect(created.map((file) => existsSync(file))).toEqual([false, false, false]);
	expect(kept.map((file) => existsSync(file))).toEqual([true, true]);
	expect(existsSync(inFolder('files', 'recordings'))).toBe(true);
});
