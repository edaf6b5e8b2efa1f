/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

let folder: string;

beforeEach(() => (folder = fs.mkdtempSync(path.join(tmpdir(), 'voice-speech-demo-'))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const inFolder = (...names: string[]) => path.join(folder, ...names);

function write(name: string, content = 'mine'): string {
	const file = inFolder(name);
	fs.mkdirSync(path.dirname(file), { recursive: true });
	fs.writeFileSync(file, content);
	return file;
}

/** Creates the folders as the demo does when it starts. Not the command: it may install packages first. */
function createFolders({ fresh = false } = {}): string {
	const script = `import { createFolders } from './dev/demo/folders.mts';
await createFolders(process.argv[1], { fresh: ${fresh} });`;
	const args = ['--import', 'tsx', '--input-type=module', '--eval', script, folder];
	return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).stderr;
}

const refusal = /Problem( \[Error\])?: The demo did not create .+--folder <path>/;

it.each<{ what: string; name: string; prepare: () => void }>([
	{ what: 'a folder without a state file', name: 'n8n/database.sqlite', prepare: () => {} },
	{
		what: 'a folder with a state file of another program',
		name: 'files/thesis.odt',
		prepare: () => write('state.json', 'not JSON'),
	},
	{
		what: 'folders whose state file is lost',
		name: 'files/recordings/call.wav',
		prepare: () => {
			createFolders();
			fs.rmSync(inFolder('state.json'));
		},
	},
	{
		what: 'the target of a link that replaces one of its folders',
		name: 'elsewhere/thesis.odt',
		prepare: () => {
			createFolders();
			fs.renameSync(inFolder('files'), inFolder('elsewhere'));
			fs.symlinkSync(inFolder('elsewhere'), inFolder('files'));
		},
	},
])('deletes nothing of $what, with --fresh too', ({ name, prepare }) => {
	prepare();
	const kept = write(name);
	for (const fresh of [false, true]) expect(createFolders({ fresh })).toMatch(refusal);
	expect(fs.existsSync(kept)).toBe(true);
});

it('deletes what the demo created, and nothing else, with --fresh', () => {
	createFolders();
	const created = ['n8n/.n8n/database.sqlite', 'files/speech.wav', 'emulator/emulator.json'];
	const others = ['notes.txt', 'other/files/a.txt'];
	for (const name of [...created, ...others]) write(name);
	expect(createFolders({ fresh: true })).toBe('');
	const kept = [...created, ...others].filter((name) => fs.existsSync(inFolder(name)));
	expect(kept).toEqual(others);
	expect(fs.existsSync(inFolder('files', 'recordings'))).toBe(true);
});
