import { appendFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { ExampleRunner } from './exampleRunner.mts';

/** A folder of calls, analyzed night by night. */
export function testNightly(runner: () => ExampleRunner): void {
	const example = 'nightly-call-analytics';
	const getFolder = () => path.join(runner().demo.files, 'nights');
	const getPath = (name: string) => path.join(getFolder(), name);
	const createSettings = () => ({ folder: getFolder(), summaryField: 'summary', mostCalls: 100 });

	beforeAll(async () => {
		await mkdir(getFolder(), { recursive: true });
		const happy = 'I am very happy. Please send the invoice.';
		await writeFile(getPath('one.wav'), await runner().speak(happy));
		await writeFile(getPath('two, "late".wav'), await runner().speak('This is terrible.'));
		await writeFile(getPath('broken.wav'), 'no audio at all');
	});

	const start = async (changes = {}, status?: string) =>
		await runner().run(example, 'Every Night', { ...createSettings(), ...changes }, status);

	/** Runs one night; returns what was paid, and the report's rows by the name of the recording, without its heading. */
	async function runNight(changes = {}) {
		const { execution, paid } = await start(changes);
		const [saved] = execution.items('Save Report');
		const text = await readFile(saved!.json.fileName as string, 'utf8');
		const [heading, ...rows] = text.replace('\uFEFF', '').trim().split('\n');
		expect(heading).toBe('recording,summary,sentiment,check');
		return { rows: rows.sort(), paid };
	}

	let firstNight: Awaited<ReturnType<typeof runNight>>;
	beforeAll(async () => {
		firstNight = await runNight();
	});
	beforeEach(async () => await runner().lendFolder(getFolder()));

	it('all calls are analyzed, and the report says which one a person must look at', async () => {
		const { rows, paid } = firstNight;
		expect(paid).toEqual(['post-call-analytics', 'post-call-analytics']);
		expect(rows).toEqual([
			'"two, ""late"".wav",This is terrible.,negative,',
			expect.stringMatching(/^broken\.wav,,,"?Not analyzed: /),
			'one.wav,I am very happy.,positive,',
		]);
		const result = JSON.parse(await readFile(getPath('one.wav.json'), 'utf8')) as object;
		expect(result).toMatchObject({ action_items: ['Please send the invoice.'] });
		await expect(readFile(getPath('broken.wav.json'))).rejects.toThrow('ENOENT');
	});

	it('the next night pays for nothing twice', async () => {
		const rows = [expect.stringContaining('broken.wav')];
		expect(await runNight()).toEqual({ rows, paid: [] });
	});

	it('a response without the expected fields is kept, and the report says so', async () => {
		await rm(getPath('one.wav.json'));
		await rm(getPath('broken.wav'));
		expect(await runNight({ summaryField: 'data.summary' })).toEqual({
			rows: ['one.wav,,positive,A field is missing: look at the response'],
			paid: ['post-call-analytics'],
		});
		await expect(readFile(getPath('one.wav.json'), 'utf8')).resolves.toContain('I am very happy.');
	});

	it('a night sends no more calls than allowed', async () => {
		await rm(getPath('one.wav.json'));
		await rm(getPath('two, "late".wav.json'));
		await rm(getPath('broken.wav'));
		expect((await runNight({ mostCalls: 1 })).paid).toEqual(['post-call-analytics']);
	});

	it('a recording that is still being copied is left for the next night', async () => {
		const slow = getPath('slow.oga');
		await writeFile(slow, await runner().speak('This is only the beginning.'));
		// Whenever n8n looks at it, it has grown.
		const copy = setInterval(() => appendFileSync(slow, 'x'), 50);
		try {
			const { execution } = await start({ waitSeconds: 5 });
			const list = (node: string) => execution.items(node).map(({ json }) => json.fileName);
			expect(list('At Most')).toContain('slow.oga');
			expect(list('Copied')).not.toContain('slow.oga');
		} finally {
			clearInterval(copy);
		}
	});

	it('a response that cannot be saved is saved by Retry, without another payment', async () => {
		await rm(getPath('one.wav.json'));
		await rm(getPath('two, "late".wav.json'));
		await mkdir(getPath('one.wav.json'));
		const { execution, paid } = await start({}, 'error');
		expect(paid).toEqual(['post-call-analytics', 'post-call-analytics']);
		await rm(getPath('one.wav.json'), { recursive: true });
		const retried = await runner().retry(execution);
		expect(retried.paid).toEqual([]);
		expect(retried.execution.items('Save Report')).toHaveLength(1);
		await expect(readFile(getPath('one.wav.json'), 'utf8')).resolves.toContain('I am very happy.');
		expect((await start()).paid).toEqual([]);
	});
}
