/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Stage } from './stage';

/** Someone lends a voice by one form; announcements are spoken by another. */
export function consent(stage: () => Stage): void {
	const allowed =
		'I am the speaker, and I allow that announcements are spoken with a copy of my voice';
	const isRecord = (file: string) => file.startsWith('voice-consent-');
	const records = async () => (await readdir(stage().demo.files)).filter(isRecord);
	let voiceId: string;

	const submitTo = async (form: string, values: Record<string, string | string[] | File>) =>
		await stage().paidFor(
			async () => await stage().tools.submitForm(`${stage().demo.n8n.url}/form/${form}`, values),
		);
	const lend = async (values: Record<string, string | string[]>) =>
		await submitTo('voice-consent', { 'Voice Sample': stage().sample(), ...values });
	const announce = async (text: string, voice: string) =>
		await submitTo('announcement', { 'Voice ID': voice, Text: text });

	it('with consent the voice is cloned, and the consent recorded with its ID', async () => {
		const before = Date.now();
		const { result, calls } = await lend({ 'Full Name': 'Ada Example', Consent: [allowed] });
		expect(calls).toMatchObject([{ operation: 'voice-clone' }]);
		voiceId = calls[0]!.voiceId!;
		expect(result.title).toBe('Thank you');
		expect(result.message).toContain(voiceId);

		expect(await records()).toEqual([`voice-consent-${voiceId}.json`]);
		const file = path.join(stage().demo.files, `voice-consent-${voiceId}.json`);
		const record = JSON.parse(await readFile(file, 'utf8')) as { givenAt: string };
		expect(record).toEqual({
			...{ voiceId, name: 'Ada Example', consent: allowed },
			givenAt: expect.any(String) as string,
		});
		const given = Date.parse(record.givenAt);
		expect(given).toBeGreaterThanOrEqual(before - 1_000);
		expect(given).toBeLessThanOrEqual(Date.now());
	});

	it.each([
		['without consent', { 'Full Name': 'Ada Example' }],
		['with another consent', { 'Full Name': 'Ada Example', Consent: ['Yes'] }],
		['without a name', { 'Full Name': ' ', Consent: [allowed] }],
	])('%s nothing is sent and nothing recorded', async (_what, values) => {
		const { result, paid } = await lend(values as Record<string, string | string[]>);
		expect(result.title).toBe('Nothing was done');
		expect(paid).toEqual([]);
		expect(await records()).toHaveLength(1);
	});

	it('a sample that is refused is not recorded, and the visitor reads why', async () => {
		const sample = new File(['no audio at all'], 'broken.wav', { type: 'audio/wav' });
		const values = { 'Voice Sample': sample, 'Full Name': 'Ada Example', Consent: [allowed] };
		const { result, paid } = await submitTo('voice-consent', values);
		expect(result.title).toBe('The voice was not cloned');
		expect(result.message).toMatch(/^The file 'broken\.wav' is .+\n\nWhat to do: /);
		expect(paid).toEqual([]);
		expect(await records()).toHaveLength(1);
	});

	it('a record that cannot be saved or read: the visitor reads it, and nothing is spoken', async () => {
		const example = 'announcements-with-consent';
		const forbidden = path.dirname(stage().demo.files);
		await writeFile(path.join(forbidden, 'voice-consent-vc_1.json'), '{}');
		await stage().publish(example, { folder: forbidden });
		const { result, paid } = await lend({ 'Full Name': 'Ada Example', Consent: [allowed] });
		expect(result.title).toBe('Your consent was not recorded');
		expect(result.message).toMatch(/vc_\w+.+\n\nWhat to do: /);
		expect(paid).toEqual(['voice-clone']);
		const announced = await announce('Hello.', 'vc_1');
		expect(announced.result.title).toBe('The record could not be read');
		expect(announced.paid).toEqual([]);
		await stage().publish(example, { folder: stage().demo.files });
	});

	it('an announcement is spoken in a voice with consent', async () => {
		const text = 'The museum closes in ten minutes.';
		const { result, calls } = await announce(text, voiceId);
		expect(result.title).toBe('The announcement');
		expect(result.downloads).toHaveLength(1);
		const audio = result.downloads[0]!.bytes;
		expect(audio.toString('latin1', 0, 4)).toBe('RIFF');
		expect(audio.toString('utf8')).toContain(text);
		expect(result.message).toContain(`downloads folder: ${result.downloads[0]!.fileName}`);
		expect(calls).toMatchObject([{ operation: 'text-to-speech', voiceId }]);
	});

	it.each([
		['another voice', () => 'vc_other'],
		['a path to elsewhere', () => `../files/voice-consent-${voiceId}`],
		['every voice', () => '*'],
		['an ID that differs by a dot', () => `${voiceId.slice(0, -1)}.${voiceId.slice(-1)}`],
	])('%s is refused and costs nothing', async (_what, asked) => {
		const { result, paid } = await announce('Hello.', asked());
		expect(result.title).toBe('No consent on record');
		expect(paid).toEqual([]);
	});

	it('once the record is deleted, the voice speaks no more', async () => {
		await rm(path.join(stage().demo.files, `voice-consent-${voiceId}.json`));
		const { result, paid } = await announce('Hello.', voiceId);
		expect(result.title).toBe('No consent on record');
		expect(paid).toEqual([]);
	});
}
