import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Execution } from '../../../dev/n8n/executions.mts';
import { waitForTriggeredExecution } from '../../support/executions';
import { expectSuccess } from './formExamples';
import type { ExampleRunner } from './exampleRunner';

/** A watched folder in which each recording gets its transcript. */
export function testFolderToTranscripts(runner: () => ExampleRunner): void {
	const getInboxPath = (name: string) => path.join(runner().demo.files, 'inbox', name);

	/** Puts a file into the folder, and waits until the execution has ended that the saved text starts. */
	async function put(name: string, bytes: Buffer | string, textName: string) {
		const { demo } = runner();
		const id = runner().findWorkflowId('folder-to-transcripts');
		const isStartedBy = (file: string) => (execution: Execution) =>
			path.basename(String(execution.items('New Recording in Folder')[0]?.json.path)) === file;
		return await runner().runAndListPaid(async () => {
			await writeFile(getInboxPath(name), bytes);
			const execution = await waitForTriggeredExecution(demo.rest, id, isStartedBy(name));
			const next = await waitForTriggeredExecution(demo.rest, id, isStartedBy(textName));
			expectSuccess(execution);
			expectSuccess(next);
			expect(next.items('Not a Transcript')).toEqual([]);
			return await readFile(getInboxPath(textName), 'utf8');
		});
	}

	it('a recording gets its transcript next to it, and the transcript starts no call', async () => {
		const text = 'Please call me back: äöü, "quoted".';
		const name = 'call (1) {of} today.wav';
		const { result, paid } = await put(name, await runner().speak(text), `${name}.txt`);
		expect(result).toBe(text);
		expect(paid).toEqual(['speech-to-text']);
	});

	it('a file that is not a recording gets the reason, and costs nothing', async () => {
		const { result, paid } = await put('bill.wav', '%PDF-1.7', 'bill.wav.error.txt');
		const message = "The file 'bill.wav' is not audio: its content is PDF\n\n";
		expect(result.slice(0, message.length)).toBe(message);
		expect(result).toContain('This item was not sent, so it was not debited.');
		expect(paid).toEqual([]);
	});
}
