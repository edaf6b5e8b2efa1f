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
	const getFolder = useFolder('consents');
	const getRecordPath = () => path.join(getFolder(), `voice-consent-${voiceId}.json`);
	const refused = { title: 'No consent on record', paid: [] };
	let voiceId: string;

	const lend = async (values: Record<string, string | string[]>, sample = runner.createSample()) =>
		await runner.submit('voice-consent', { 'Voice Sample': sample, ...values });
	const announce = async (text: string, voice: string) =>
		await runner.submit('announcement', { 'Voice ID': voice, Text: text });

	const before = Date.now();
	let lentVoice: Awaited<ReturnType<typeof lend>>;

	beforeAll(async () => {
		await runner.publish(example, { folder: getFolder() });
		lentVoice = await lend(allowed);
		voiceId = lentVoice.calls[0]!.voiceId!;
	});

	it('the voice is cloned with consent, and the consent recorded with its ID', async () => {
		expect(lentVoice).toMatchObject({ title: 'Thank you', paid: ['voice-clone'] });
		expect(lentVoice.message).toContain(voiceId);
		expect(lentVoice.message).toContain('Keep this ID');

		expect(await readdir(getFolder())).toEqual([path.basename(getRecordPath())]);
		const { givenAt, ...record } = JSON.parse(await readFile(getRecordPath(), 'utf8')) as {
			givenAt: string;
		};
		expect(record).toEqual({ voiceId, name: 'Ada Example', consent: consented });
		expect(Date.parse(givenAt)).toBeGreaterThanOrEqual(before - 1_000);
		expect(Date.parse(givenAt)).toBeLessThanOrEqual(Date.now());
	});

	it('nothing is recorded without consent or a name, or if the sample is refused', async () => {
		for (const values of [{ 'Full Name': 'Ada Example' }, { ...allowed, 'Full Name': ' ' }]) {
			expect(await lend(values)).toMatchObject({ title: 'Nothing was done', paid: [] });
		}
		expectRefusal(await lend(allowed, runner.createNoAudio()), 'The voice was not cloned');
		expect(await readdir(getFolder())).toHaveLength(1);
	});

	it('an announcement is spoken in a voice with consent, until its record is deleted', async () => {
		const text = 'The museum closes in ten minutes.';
		const page = await announce(text, voiceId);
		const calls = [{ operation: 'text-to-speech', voiceId }];
		expect(page).toMatchObject({ title: 'The announcement', calls });
		expect(page.downloads).toHaveLength(1);
		const [audio] = page.downloads;
		expect(audio!.bytes.toString('utf8')).toContain(text);
		expect(page.message).toContain(`downloads folder: ${audio!.fileName}`);

		await rm(getRecordPath());
		expect(await announce('Hello.', voiceId)).toMatchObject(refused);
	});

	it('an ID with any characters is recorded, and every other ID, path or pattern is refused', async () => {
		const id = 'vc_ä.b/../c*d (1) [x] 100%';
		runner.responders = {
			'/ai/voice-clone': respondWithJson({ voice_id: id }),
			'/ai/text-to-speech': respondWithBytes(await runner.speak('Hello.'), 'audio/wav'),
		};
		await runner.publish(example, {}, [runner.scriptedCredential]);
		// The record of another voice.
		const record = JSON.stringify({ voiceId: 'VC_2' });
		await writeFile(path.join(getFolder(), 'voice-consent-vc_2.json'), record);

		expect((await lend(allowed)).message).toContain(id);
		await announce('Hello.', id);
		expect(runner.listArrivals('/ai/text-to-speech')).toEqual([{ text: 'Hello.', voice_id: id }]);
		const others = [
			id.replace('ä', 'a'),
			encodeURIComponent(id),
			'vc_2',
			`../consents/voice-consent-${voiceId}`,
			'*',
		];
		for (const asked of others) {
			expect({ asked, ...(await announce('Hello.', asked)) }).toMatchObject({ asked, ...refused });
		}
		expect(runner.scriptedServer.requestCount).toBe(2);
	});

	it('the visitor reads that a record cannot be saved or read, and nothing is spoken', async () => {
		const forbidden = path.dirname(runner.demo.files);
		await writeFile(path.join(forbidden, 'voice-consent-vc_1.json'), '{}');
		await runner.publish(example, { folder: forbidden });
		const lent = await lend(allowed);
		expect(lent).toMatchObject({ title: 'Your consent was not recorded', paid: ['voice-clone'] });
		expect(lent.message).toMatch(/vc_\w+/);
		expectExecutionNumberWithoutReason(lent, 'Your consent was not recorded');
		const announced = await announce('Hello.', 'vc_1');
		expect(announced.paid).toEqual([]);
		expectExecutionNumberWithoutReason(announced, 'The record could not be read');
	});
});
