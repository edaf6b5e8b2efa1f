import { appendFile, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { listExecutions } from '../../support/executions.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** A watched folder in which each recording gets its transcript. */
describeExample('folder-to-transcripts', (example) => {
	const getInboxPath = (name = '') => path.join(runner.demo.files, 'inbox', name);
	const write = async (name: string, content: Buffer | string) =>
		await writeFile(getInboxPath(name), content);
	const read = async (name: string) => await readFile(getInboxPath(name), 'utf8');

	/**
	 * Does what starts as many executions; returns what was paid, and the files whose executions ended at once because they
	 * are not recordings.
	 */
	async function watch(count: number, task: () => Promise<void>) {
		const { result, paid } = await runner.startAllAndWait(example, task, count);
		const ignored = result
			.filter((execution) => execution.items('Recordings Only').length === 0)
			.map(({ items }) => path.basename(String(items('New Recording in Folder')[0]!.json.path)));
		return { ignored: ignored.sort(), paid };
	}

	it('a recording gets its transcript next to it, and what is not a recording the reason', async () => {
		const text = 'Please call me back: äöü, "quoted".';
		const name = 'call (1) {of} v1.2.WAV';
		const recording = await runner.speak(text);
		const { ignored, paid } = await watch(4, async () => {
			await write(name, recording);
			await write('bill.wav', '%PDF-1.7');
		});
		// The transcript starts no call.
		expect(ignored).toEqual(['bill.wav.error.txt', `${name}.txt`]);
		expect(await read(`${name}.txt`)).toBe(text);
		const message = "The file 'bill.wav' is not audio: its content is PDF\n\n";
		const reason = await read('bill.wav.error.txt');
		expect(reason.slice(0, message.length)).toBe(message);
		expect(reason).toContain('This item was not sent, so it was not debited.');
		expect(paid).toEqual(['speech-to-text']);
	});

	it('recordings whose copies pause, one of them when it is empty, are sent as a whole, once', async () => {
		const text = 'Here is all of it, and not only a half.';
		const whole = await runner.speak(text);
		const copies = { 'slow copy, empty.wav': 0, 'slow copy, half.wav': whole.length / 2 };
		await runner.publish(example, { waitSeconds: 10 });
		const { paid } = await watch(4, async () => {
			for (const [name, end] of Object.entries(copies)) await write(name, whole.subarray(0, end));
			// They wait for the next look at their files.
			const { rest, workflows } = runner.demo;
			const { id } = workflows[example]!;
			const areRunning = async () => (await listExecutions(rest, id, 'running')).length === 2;
			await waitUntil(areRunning, { timeoutMs: 30_000, intervalMs: 200 });
			for (const [name, start] of Object.entries(copies)) {
				await appendFile(getInboxPath(name), whole.subarray(start));
			}
		});
		for (const name of Object.keys(copies)) expect(await read(`${name}.txt`)).toBe(text);
		expect(paid).toEqual(['speech-to-text', 'speech-to-text']);
	});

	it('an upload is paid when it gets its name; what is not a recording, or not yet, is ignored', async () => {
		const whole = await runner.speak('Uploaded.');
		const names = ['.DS_Store', '._call.wav', '.call.wav.Xy12', 'letter.docx', 'new.wav.part'];
		const before = await readdir(getInboxPath());
		const early = await watch(6, async () => {
			for (const name of [...names, 'upload.wav.filepart']) await write(name, whole);
		});
		expect(early).toEqual({ ignored: [...names, 'upload.wav.filepart'].sort(), paid: [] });
		const { ignored, paid } = await watch(
			2,
			async () => await rename(getInboxPath('upload.wav.filepart'), getInboxPath('upload.wav')),
		);
		expect(ignored).toEqual(['upload.wav.txt']);
		expect(await read('upload.wav.txt')).toBe('Uploaded.');
		expect(paid).toEqual(['speech-to-text']);
		const after = [...before, ...names, 'upload.wav', 'upload.wav.txt'];
		expect((await readdir(getInboxPath())).sort()).toEqual(after.sort());
	});
});
