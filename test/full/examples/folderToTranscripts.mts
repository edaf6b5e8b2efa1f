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

	it('a complete recording gets its transcript next to it; another file gets the reason, or is ignored', async () => {
		const text = 'Please call me back: äöü, "quoted".';
		const whole = await runner.speak(text);
		const name = 'call (1) {of} v1.2.WAV';
		const [half, empty] = ['slow copy, half.wav', 'slow copy, empty.wav'];
		const unfinished = 'upload.wav.filepart';
		const names = ['.DS_Store', '._call.wav', '.call.wav.Xy12', 'letter.docx', 'new.wav.part'];
		const recordings = [name, half, empty, 'upload.wav'];
		const written = [...recordings.map((one) => `${one}.txt`), 'bill.wav.error.txt'];
		const started = [...recordings, 'bill.wav', unfinished, ...names, ...written];
		const before = await readdir(getInboxPath());
		await runner.publish(example, { waitSeconds: 10 });

		const task = async () => {
			await write(name, whole);
			await write('bill.wav', '%PDF-1.7');
			for (const one of [unfinished, ...names]) await write(one, whole);
			await write(half, whole.subarray(0, whole.length / 2));
			await write(empty, '');
			const options = { timeoutMs: 60_000, intervalMs: 200 };
			// They wait for the next look at their files.
			const { rest, workflows } = runner.demo;
			const { id } = workflows[example]!;
			const areRunning = async () => (await listExecutions(rest, id, 'running')).length === 4;
			await waitUntil(areRunning, options);
			await appendFile(getInboxPath(half), whole.subarray(whole.length / 2));
			await rename(getInboxPath(unfinished), getInboxPath('upload.wav'));
			// The empty file, too, has the same size at two looks then.
			const isDone = async () => (await readdir(getInboxPath())).includes(`${name}.txt`);
			await waitUntil(isDone, options);
			await appendFile(getInboxPath(empty), whole);
		};
		const { result, paid } = await runner.startAllAndWait(example, task, started.length);

		expect(paid).toEqual(recordings.map(() => 'speech-to-text'));
		for (const recording of recordings) expect(await read(`${recording}.txt`)).toBe(text);
		const message = "The file 'bill.wav' is not audio: its content is PDF\n\n";
		const reason = await read('bill.wav.error.txt');
		expect(reason.slice(0, message.length)).toBe(message);
		expect(reason).toContain('This item was not sent, so it was not debited.');
		const ignored = result
			.filter((execution) => execution.items('Recordings Only').length === 0)
			.map(({ items }) => path.basename(String(items('New Recording in Folder')[0]!.json.path)));
		expect(ignored.sort()).toEqual([unfinished, ...names, ...written].sort());
		const after = [...before, ...recordings, 'bill.wav', ...names, ...written];
		expect((await readdir(getInboxPath())).sort()).toEqual(after.sort());
	});
});
