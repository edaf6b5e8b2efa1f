import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import path from 'node:path';

import { expectExecutionNumberWithoutReason } from './formExamples.mts';
import { describeExample, runner, useFolder } from './exampleRunner.mts';

/** Voices are chosen by name, and what was spoken before comes from a file. */
describeExample('voices-by-name', (example) => {
	// What is special in JSON, in HTML and in a replacement by JavaScript.
	const name = 'Käthe "O\'Neil" & $&';
	const text = 'Good morning, "dear" guests.';
	const getFolder = useFolder('announcements');

	const readRows = async () => await runner.readRows('voicesTableId');
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

	it('clones a voice under a name that is free, and pays for each text that it speaks once', async () => {
		await runner.publish(example, { folder: getFolder() });
		const added = await addVoice(` ${name} `);
		expect(added).toMatchObject({ title: 'Voice added', paid: ['voice-clone'] });
		const row = { name, voiceId: added.calls[0]!.voiceId! };
		expect(await readRows()).toMatchObject([row]);
		for (const refused of [name, ' ']) {
			expect(await addVoice(refused)).toMatchObject({ title: 'Choose another name', paid: [] });
		}
		expect(await readRows()).toMatchObject([row]);

		const first = await announce(text, name);
		expect(first).toMatchObject({ title: 'The announcement', paid: ['text-to-speech'] });
		expect(first.message).toContain('the next time no credits are used');
		expect(first.message).toContain("in your browser's downloads folder: speech.wav");
		expect(first.audio!.toString('utf8')).toContain(JSON.stringify(text).slice(1, -1));
		const [audio, record] = await listSavedFiles();
		expect(audio).toMatch(/^[0-9a-f]{64}-\d+\.wav$/);
		expect(record).toBe(`${audio}.json`);
		const saidBy = JSON.parse(await readFile(path.join(getFolder(), record!), 'utf8')) as object;
		expect(saidBy).toMatchObject({ voice: name, text });

		const again = await announce(`${text}\n`, name);
		const message = `Spoken before by ${name}: no credits were used.\n\nThe audio is in your browser's downloads folder: speech.wav`;
		expect(again).toMatchObject({ message, downloads: [{ fileName: 'speech.wav' }], paid: [] });
		expect(again.audio!.equals(first.audio!)).toBe(true);

		// Another voice is a new call; one that fails leaves no file.
		const others = [
			{ name: 'Ada', voiceId: runner.voiceId },
			{ name: 'Gone', voiceId: 'vc_gone' },
		];
		await runner.writeRows('voicesTableId', [row, ...others]);
		expect((await announce(text, 'Ada')).calls).toMatchObject([{ voiceId: runner.voiceId }]);
		const saved = await listSavedFiles();
		const failed = await announce(text, 'Gone');
		expect(failed.paid).toEqual([]);
		expectExecutionNumberWithoutReason(failed, 'Nothing was spoken');
		expect(await listSavedFiles()).toEqual(saved);

		// A file that was not written completely is not used.
		await rm(path.join(getFolder(), record!));
		await truncate(path.join(getFolder(), audio!), 100);
		const repeated = await announce(text, name);
		expect(repeated.paid).toEqual(['text-to-speech']);
		expect(repeated.audio!.length).toBeGreaterThan(100);
		const after = await announce(text, name);
		expect(after.paid).toEqual([]);
		expect(after.audio!.equals(repeated.audio!)).toBe(true);

		// Audio that cannot be saved is still delivered.
		await runner.publish(example, { folder: path.join(getFolder(), 'missing') });
		const unsaved = await announce('Unsaved.', name);
		expect(unsaved.paid).toEqual(['text-to-speech']);
		expect(unsaved.audio!.toString('latin1', 0, 4)).toBe('RIFF');
		expect(unsaved.message).toMatch(/^The audio could not be saved/);
		expectExecutionNumberWithoutReason(unsaved, 'The announcement');

		// A wrong data table is noticed before anything is paid.
		await runner.publish(example, { voicesTableId: 'none' });
		const { paid } = await runner.runAndListPaid(
			async () => await expect(addVoice('Bob')).rejects.toThrow('ended with "error"'),
		);
		expect(paid).toEqual([]);
	});
});
