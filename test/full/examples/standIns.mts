import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { recordings } from '../../../dev/demo/samples.mts';
import { listInstructions } from '../../../dev/demo/instructions.mts';
import { createForm } from '../../support/createForm.mts';
import type { ExampleRunner } from './exampleRunner.mts';

/** What the demo prints to try, with the settings that it chose and its stand-ins for outside systems. */
export function testStandIns(runner: () => ExampleRunner): void {
	const readSample = async (name: string) =>
		new File([await readFile(path.join(runner().demo.files, 'samples', name))], name, {
			type: 'audio/wav',
		});
	const findSpokenText = (name: string) => recordings[name]!.text;

	it('the demo turns a voicemail into a ticket', async () => {
		const body = createForm({ from: 'Ada', recording: await readSample('call.wav') });
		await runner().send('voicemail-to-ticket', 'voicemail', body);
		const content = {
			subject: 'Voicemail from Ada',
			text: findSpokenText('call.wav'),
			state: 'new',
			recording: expect.stringMatching(/^call\.wav \(\d+ bytes\)$/) as string,
		};
		expect(runner().deliveries).toEqual([{ system: 'tickets', content }]);
	});

	it('the demo turns an episode into show notes', async () => {
		await runner().run('podcast-to-show-notes', 'Every Morning');
		const content = { transcript: findSpokenText('episode.wav'), state: 'ready' };
		expect(runner().deliveries).toMatchObject([{ system: 'site', content }]);
	});

	it("the demo analyzes the night's calls", async () => {
		await runner().run('nightly-call-analytics', 'Every Night');
		const files = await readdir(path.join(runner().demo.files, 'calls'));
		expect(files).toEqual(expect.arrayContaining(['call.wav.json', 'complaint.wav.json']));
		expect(files.filter((file) => file.endsWith('.csv'))).toHaveLength(1);
	});

	it("the demo's assistant listens to a recording and judges its mood", async () => {
		const { demo } = runner();
		const example = 'agent-that-listens';
		const chatInput = listInstructions(demo)[example]!.split('ask: ')[1]!;
		const { execution } = await runner().chat(example, chatInput);
		const said = execution.items('Assistant')[0]?.json.output as string;
		expect(said).toContain(findSpokenText('call.wav'));
		expect(said).toContain('The sentiment is positive.');
	});

	it('the demo transcribes a recording at the address that the notes give', async () => {
		const address = `${runner().demo.mockSystems.url}/files/call.wav`;
		const recordings = [{ recordingId: '1', address }];
		await runner().send('failures-to-retry-list', 'recordings-to-transcribe', { recordings });
		const content = { recordingId: '1', text: findSpokenText('call.wav') };
		expect(runner().deliveries).toEqual([{ system: 'archive', content }]);
	});
}
