/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Execution } from '../tools';
import { expectSuccess, type Stage } from './stage';

/** A folder of calls, analyzed night by night. */
export function nightly(stage: () => Stage): void {
	const folder = () => path.join(stage().demo.files, 'nights');
	const inFolder = (name: string) => path.join(folder(), name);
	const usual = { allowedEnvironment: 'sandbox', summaryField: 'summary', mostCalls: 100 };
	const night = async (settings = {}) =>
		await stage().paidFor(
			async () =>
				await stage().run('nightly-call-analytics', 'Every Night', {
					...usual,
					folder: folder(),
					...settings,
				}),
		);

	beforeAll(async () => {
		await mkdir(folder(), { recursive: true });
		const calls = {
			'one.wav': 'I am very happy. Please send the invoice.',
			'two, "late".wav': 'This is terrible.',
		};
		for (const [name, text] of Object.entries(calls)) {
			const recording = await stage().recordingOf(text);
			await writeFile(inFolder(name), Buffer.from(await recording.arrayBuffer()));
		}
		await writeFile(inFolder('broken.wav'), 'no audio at all');
	});

	/** The report's rows without its heading, by the name of the recording. */
	async function report(execution: Execution): Promise<string[]> {
		const [saved] = execution.items('Save Report');
		const text = await readFile(saved!.json.fileName as string, 'utf8');
		const [heading, ...rows] = text.replace('\uFEFF', '').trim().split('\n');
		expect(heading).toBe('recording,summary,sentiment,check');
		return rows.sort();
	}

	it('a key of the other wallet is refused before anything is sent', async () => {
		const { result, paid } = await night({ allowedEnvironment: 'live' });
		expectSuccess(result);
		expect(paid).toEqual([]);
		const rows = await report(result);
		expect(rows).toHaveLength(3);
		for (const row of rows) expect(row).toMatch(/Not analyzed: .*live/i);
	});

	it('all calls are analyzed, and the report says which one a person must look at', async () => {
		const { result, paid } = await night();
		expectSuccess(result);
		expect(paid).toEqual(['post-call-analytics', 'post-call-analytics']);
		expect(await report(result)).toEqual([
			'"two, ""late"".wav",This is terrible.,negative,',
			expect.stringMatching(/^broken\.wav,,,"?Not analyzed: /),
			'one.wav,I am very happy.,positive,',
		]);
		const answer = JSON.parse(await readFile(inFolder('one.wav.json'), 'utf8')) as object;
		expect(answer).toMatchObject({ action_items: ['Please send the invoice.'] });
		await expect(readFile(inFolder('broken.wav.json'))).rejects.toThrow('ENOENT');
	});

	it('the next night pays for nothing twice', async () => {
		const { result, paid } = await night();
		expectSuccess(result);
		expect(paid).toEqual([]);
		expect(await report(result)).toEqual([expect.stringContaining('broken.wav')]);
	});

	it('a response without the expected fields is kept, and the report says so', async () => {
		await rm(inFolder('one.wav.json'));
		await rm(inFolder('broken.wav'));
		const { result, paid } = await night({ summaryField: 'data.summary', mostCalls: 1 });
		expect(paid).toEqual(['post-call-analytics']);
		expect(await report(result)).toEqual([
			'one.wav,,positive,A field is missing: look at the response',
		]);
		await expect(readFile(inFolder('one.wav.json'), 'utf8')).resolves.toContain('I am very happy.');
	});

	it('a night sends no more calls than allowed', async () => {
		await rm(inFolder('one.wav.json'));
		await rm(inFolder('two, "late".wav.json'));
		expect((await night({ mostCalls: 1 })).paid).toEqual(['post-call-analytics']);
	});
}
