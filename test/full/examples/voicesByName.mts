import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import path from 'node:path';

import { expectExecutionNumberWithoutReason } from './formExamples.mts';
import { describeExample, runner, useFolder } from './exampleRunner.mts';

type Row = Record<'name' | 'voiceId', string>;

/** Voices are chosen by name, and what was spoken before comes from a file. */
describeExample('voices-by-name', (example) => {
	// What is special in JSON, in HTML and in a replacement by JavaScript.
	const name = 'Käthe "O\'Neil" & $&';
	const text = 'Good morning, "dear" guests.';
	const getFolder = useFolder('announcements');

	let addedVoice: Awaited<ReturnType<typeof addVoice>>;
	let addedRow: Row | undefined;

	beforeAll(async () => {
		await runner.publish(example, { folder: getFolder() });
		addedVoice = await addVoice(` ${name} `);
		[addedRow] = await readRows();
	});
	beforeEach(async () => await runner.writeRows('voicesTableId', [addedRow!]));

	/** The columns that the example has defined. */
	const readRows = async () =>
		(await runner.readRows<Row>('voicesTableId')).map((row) => ({
			name: row.name,
			voiceId: row.voiceId,
		}));
	const addRow = async (row: Row) => await runner.writeRows('voicesTableId', [addedRow!, row]);
	const listSavedFiles = async () => (await readdir(getFolder())).sort();

	const addVoice = async (voiceName: string) =>
		await runner.submit('new-voice', {
			'Voice Name': voiceName,
			'Voice Sample': runner.createSample(),
			Permission: ['The speaker allows that this voice is cloned'],
		});
	async function announce(what: string, voice: string) {
		const form = 'announcement-by-name';
		const page = await runner.submit(form, { Text: what }, [{ Voice: voice }]);
		return { ...page, audio: page.downloads[0]?.bytes };
	}

	it('a cloned voice is added to the data table; a name that is taken or empty is refused', async () => {
		expect(addedVoice).toMatchObject({ title: 'Voice added', paid: ['voice-clone'] });
		expect(addedRow).toEqual({ name, voiceId: addedVoice.calls[0]!.voiceId });
		for (const refused of [name, ' ']) {
			expect(await addVoice(refused)).toMatchObject({ title: 'Choose another name', paid: [] });
		}
		expect(await readRows()).toHaveLength(1);
	});

	it('the form offers the name, and a text that is spoken again costs nothing', async () => {
		const first = await announce(text, name);
		expect(first).toMatchObject({ title: 'The announcement', paid: ['text-to-speech'] });
		expect(first.message).toContain('the next time no credits are used');
		expect(first.message).toContain("in your browser's downloads folder: speech.wav");
		expect(first.audio!.toString('utf8')).toContain(JSON.stringify(text).slice(1, -1));

		const again = await announce(`${text}\n`, name);
		const message = `Spoken before by ${name}: no credits were used.\n\nThe audio is in your browser's downloads folder: speech.wav`;
		expect(again).toMatchObject({ message, downloads: [{ fileName: 'speech.wav' }], paid: [] });
		expect(again.audio!.equals(first.audio!)).toBe(true);

		const [audio, record] = await listSavedFiles();
		expect(audio).toMatch(/^[0-9a-f]{64}-\d+\.wav$/);
		expect(record).toBe(`${audio}.json`);
		const saidBy = JSON.parse(await readFile(path.join(getFolder(), record!), 'utf8')) as object;
		expect(saidBy).toMatchObject({ voice: name, text });
	});

	it('another text, or another voice, is a new call', async () => {
		await addRow({ name: 'Ada', voiceId: runner.voiceId });
		expect((await announce(text.toUpperCase(), name)).paid).toEqual(['text-to-speech']);
		const { calls } = await announce(text, 'Ada');
		expect(calls).toMatchObject([{ voiceId: runner.voiceId }]);
		await expect(announce(text, 'Nobody')).rejects.toThrow(`only Ada, ${name}`);
	});

	it('a call that fails leaves no file, and audio that cannot be saved is still delivered', async () => {
		await addRow({ name: 'Gone', voiceId: 'vc_gone' });
		const before = await listSavedFiles();
		const failed = await announce(text, 'Gone');
		expect(failed.paid).toEqual([]);
		expectExecutionNumberWithoutReason(failed, 'Nothing was spoken');
		expect(await listSavedFiles()).toEqual(before);

		await runner.publish(example, { folder: path.join(getFolder(), 'missing') });
		const page = await announce('Unsaved.', name);
		expect(page.paid).toEqual(['text-to-speech']);
		expect(page.audio!.toString('latin1', 0, 4)).toBe('RIFF');
		expect(page.message).toMatch(/^The audio could not be saved/);
		expectExecutionNumberWithoutReason(page, 'The announcement');
	});

	it('a file that was not written completely is not used', async () => {
		await announce(text, name);
		for (const file of await listSavedFiles()) {
			if (file.endsWith('.json')) await rm(path.join(getFolder(), file));
			else await truncate(path.join(getFolder(), file), 100);
		}
		const { audio, paid } = await announce(text, name);
		expect(paid).toEqual(['text-to-speech']);
		expect(audio!.length).toBeGreaterThan(100);
		const again = await announce(text, name);
		expect(again.paid).toEqual([]);
		expect(again.audio!.equals(audio!)).toBe(true);
	});

	it('a wrong data table is noticed before anything is paid', async () => {
		await runner.publish(example, { folder: getFolder(), voicesTableId: 'none' });
		const { paid } = await runner.runAndListPaid(
			async () => await expect(addVoice('Bob')).rejects.toThrow('ended with "error"'),
		);
		expect(paid).toEqual([]);
	});
});
