import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { respondWithBytes, respondWithJson } from '../../support/servers/scriptedServer.mts';
import { expectExecutionNumberWithoutReason, expectRefusal } from './formExamples.mts';
import { describeExample, runner, useFolder } from './exampleRunner.mts';

/** Someone lends a voice by one form; announcements are spoken by another. */
describeExample('announcements-with-consent', (example) => {
	const consented =
		'I am the speaker, and I allow that announcements are spoken with a copy of my voice';
	const allowed = { 'Full Name': 'Ada Example', Consent: [consented] };
	const voiceId = 'vc_ä.b/../c*d (1) [x] 100%';
	const text = 'The museum closes in ten minutes.';
	const getFolder = useFolder('consents');

	const lend = async (values: Record<string, string | string[]>, sample = runner.createSample()) =>
		await runner.submit('voice-consent', { 'Voice Sample': sample, ...values });
	const announce = async (voice: string) =>
		await runner.submit('announcement', { 'Voice ID': voice, Text: text });

	it('announcements are spoken only in a voice whose consent is on record', async () => {
		const before = Date.now();
		const audio = await runner.speak(text);
		// The service in place of the emulator, whose voice IDs have only letters and digits.
		runner.responders = {
			'/ai/voice-clone': respondWithJson({ voice_id: voiceId }),
			'/ai/text-to-speech': respondWithBytes(audio, 'audio/wav'),
		};
		await runner.publish(example, { folder: getFolder() }, [runner.scriptedCredential]);

		const lent = await lend(allowed);
		expect(lent.title).toBe('Thank you');
		expect(lent.message).toContain(`${voiceId}. Your consent is on record.\n\nKeep this ID`);
		const [recordName, ...others] = await readdir(getFolder());
		expect(others).toEqual([]);
		const recordPath = path.join(getFolder(), recordName!);
		const { givenAt, ...record } = JSON.parse(await readFile(recordPath, 'utf8')) as {
			givenAt: string;
		};
		expect(record).toEqual({ voiceId, name: 'Ada Example', consent: consented });
		expect(Date.parse(givenAt)).toBeGreaterThanOrEqual(before - 1_000);
		expect(Date.parse(givenAt)).toBeLessThanOrEqual(Date.now());

		const page = await announce(voiceId);
		expect(runner.listArrivals('/ai/text-to-speech')).toEqual([{ text, voice_id: voiceId }]);
		expect(page.title).toBe('The announcement');
		expect(page.downloads).toHaveLength(1);
		const { fileName, bytes } = page.downloads[0]!;
		expect(bytes.equals(audio)).toBe(true);
		expect(page.message).toContain(`downloads folder: ${fileName}`);

		for (const values of [{ 'Full Name': 'Ada Example' }, { ...allowed, 'Full Name': ' ' }]) {
			expect((await lend(values)).title).toBe('Nothing was done');
		}
		expectRefusal(await lend(allowed, runner.createNoAudio()), 'The voice was not cloned');
		// The record of another voice.
		const anotherRecord = JSON.stringify({ voiceId: 'VC_2' });
		await writeFile(path.join(getFolder(), 'voice-consent-vc_2.json'), anotherRecord);
		expect(await readdir(getFolder())).toHaveLength(2);
		for (const voice of ['vc_2', '*', `../consents/${recordName!.replace('.json', '')}`]) {
			expect((await announce(voice)).title).toBe('No consent on record');
		}
		await rm(recordPath);
		expect((await announce(voiceId)).title).toBe('No consent on record');

		const forbidden = path.dirname(runner.demo.files);
		await writeFile(path.join(forbidden, 'voice-consent-vc_1.json'), '{}');
		await runner.publish(example, { folder: forbidden });
		const unreadable = await announce('vc_1');
		expectExecutionNumberWithoutReason(unreadable, 'The record could not be read');
		const unsaved = await lend(allowed);
		expectExecutionNumberWithoutReason(unsaved, 'Your consent was not recorded');
		expect(unsaved.message).toContain(voiceId);
		const called = runner.scriptedServer.requests.map(({ url }) => url);
		expect(called).toEqual(['/ai/voice-clone', '/ai/text-to-speech', '/ai/voice-clone']);
	});
});
