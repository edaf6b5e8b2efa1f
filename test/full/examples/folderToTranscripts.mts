import { appendFile, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import type { Execution } from '../../../dev/n8n/executions.mts';
import { waitForTriggeredExecution } from '../../support/executions.mts';
import { expectSuccess } from './formExamples.mts';
import { runner } from './exampleRunner.mts';

/** A watched folder in which each recording gets its transcript. */
export function testFolderToTranscripts(): void {
	const example = 'folder-to-transcripts';
	const getInboxPath = (name: string) => path.join(runner.demo.files, 'inbox', name);

	/** Waits until the execution has ended that this file starts. */
	async function waitForFile(name: string) {
		const isStartedByFile = (execution: Execution) =>
			path.basename(String(execution.items('New Recording in Folder')[0]?.json.path)) === name;
		const id = runner.demo.workflows[example]!.id;
		const execution = await waitForTriggeredExecution(runner.demo.rest, id, isStartedByFile);
		expectSuccess(execution);
		return execution;
	}

	/** Waits for the executions that end at once because these files are not recordings. */
	async function expectIgnored(...names: string[]) {
		for (const name of names) {
			expect((await waitForFile(name)).items('Recordings Only')).toEqual([]);
		}
	}

	/** Waits for this file's execution and for the one that the saved text starts in vain, and reads the text. */
	async function readTextOf(name: string, textName: string) {
		await waitForFile(name);
		await expectIgnored(textName);
		return await readFile(getInboxPath(textName), 'utf8');
	}

	it('a recording gets its transcript next to it, and what is not a recording the reason', async () => {
		const text = 'Please call me back: äöü, "quoted".';
		const name = 'call (1) {of} v1.2.WAV';
		const recording = await runner.speak(text);
		const { result, paid } = await runner.runAndListPaid(async () => {
			await writeFile(getInboxPath(name), recording);
			await writeFile(getInboxPath('bill.wav'), '%PDF-1.7');
			// The transcript starts no call.
			return {
				transcript: await readTextOf(name, `${name}.txt`),
				reason: await readTextOf('bill.wav', 'bill.wav.error.txt'),
			};
		});
		const message = "The file 'bill.wav' is not audio: its content is PDF\n\n";
		expect(result.transcript).toBe(text);
		expect(result.reason.slice(0, message.length)).toBe(message);
		expect(result.reason).toContain('This item was not sent, so it was not debited.');
		expect(paid).toEqual(['speech-to-text']);
	});

	/** Waits until n8n has begun as many executions, which wait for the next look at their files. */
	async function waitUntilRunning(count: number) {
		const workflowId = runner.demo.workflows[example]!.id;
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['running'] }));
		const areRunning = async () => {
			const url = `/executions?filter=${filter}&limit=${count}`;
			const { rest } = runner.demo;
			return (await rest.call<{ results: object[] }>('GET', url)).results.length === count;
		};
		const createMessage = () => 'The workflow was not executed';
		await waitUntil(areRunning, { timeoutMs: 30_000, intervalMs: 200, createMessage });
	}

	it('recordings whose copies pause, one of them when it is empty, are sent as a whole, once', async () => {
		const text = 'Here is all of it, and not only a half.';
		const whole = await runner.speak(text);
		const starts = { 'slow copy, empty.wav': 0, 'slow copy, half.wav': whole.length / 2 };
		const copies = Object.entries(starts);
		await runner.publish(example, { waitSeconds: 10 });
		const { result, paid } = await runner.runAndListPaid(async () => {
			for (const [name, start] of copies) {
				await writeFile(getInboxPath(name), whole.subarray(0, start));
			}
			await waitUntilRunning(copies.length);
			for (const [name, start] of copies) {
				await appendFile(getInboxPath(name), whole.subarray(start));
			}
			const names = Object.keys(starts);
			return await Promise.all(names.map(async (name) => await readTextOf(name, `${name}.txt`)));
		});
		expect(result).toEqual([text, text]);
		expect(paid).toEqual(['speech-to-text', 'speech-to-text']);
	});

	it('an upload is paid when it gets its name; what is not a recording, or not yet, is ignored', async () => {
		const whole = await runner.speak('Uploaded.');
		const names = ['.DS_Store', '._call.wav', '.call.wav.Xy12', 'letter.docx', 'new.wav.part'];
		const before = await readdir(getInboxPath(''));
		const { result, paid } = await runner.runAndListPaid(async () => {
			for (const name of [...names, 'upload.wav.filepart']) {
				await writeFile(getInboxPath(name), whole);
			}
			await expectIgnored(...names, 'upload.wav.filepart');
			await rename(getInboxPath('upload.wav.filepart'), getInboxPath('upload.wav'));
			return await readTextOf('upload.wav', 'upload.wav.txt');
		});
		expect(result).toBe('Uploaded.');
		expect(paid).toEqual(['speech-to-text']);
		const after = [...before, ...names, 'upload.wav', 'upload.wav.txt'];
		expect((await readdir(getInboxPath(''))).sort()).toEqual(after.sort());
	});
}
