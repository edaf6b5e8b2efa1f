import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { recordings } from '../../../dev/demo/samples.mts';
import { listInstructions } from '../../../dev/demo/try.mts';
import { createForm, type Stage } from './stage';

/** What the demo prints to try, with the settings that it chose and its stand-ins for outside systems. */
export function testStandIns(stage: () => Stage): void {
	const sample = async (name: string) =>
		new File([await readFile(path.join(stage().demo.files, 'samples', name))], name, {
			type: 'audio/wav',
		});
	const spoken = (name: string) => recordings[name]!;

	it('the demo turns a voicemail into a ticket', async () => {
		const body = createForm({ from: 'Ada', recording: await sample('call.wav') });
		await stage().send('voicemail-to-ticket', 'voicemail', body);
		const content = {
			subject: 'Voicemail from Ada',
			text: spoken('call.wav'),
			state: 'new',
			recording: expect.stringMatching(/^call\.wav \(\d+ bytes\)$/) as string,
		};
		expect(stage().deliveries).toEqual([{ system: 'tickets', content }]);
	});

	it('the demo turns an episode into show notes', async () => {
		await stage().run('podcast-to-show-notes', 'Every Morning');
		const content = { transcript: spoken('episode.wav'), state: 'ready' };
		expect(stage().deliveries).toMatchObject([{ system: 'site', content }]);
	});

	it("the demo analyzes the night's calls", async () => {
		await stage().run('nightly-call-analytics', 'Every Night');
		const files = await readdir(path.join(stage().demo.files, 'calls'));
		expect(files).toEqual(expect.arrayContaining(['call.wav.json', 'complaint.wav.json']));
		expect(files.filter((file) => file.endsWith('.csv'))).toHaveLength(1);
	});

	it("the demo's assistant listens to a recording and judges its mood", async () => {
		const { demo } = stage();
		const example = 'agent-that-listens';
		const chatInput = listInstructions(demo)[example]!.split('ask: ')[1]!;
		const { execution } = await stage().chat(example, chatInput);
		const said = execution.items('Assistant')[0]?.json.output as string;
		expect(said).toContain(spoken('call.wav'));
		expect(said).toContain('The sentiment is positive.');
	});

	it('the demo transcribes a recording at the address that the notes give', async () => {
		const address = `${stage().demo.mockSystems.url}/files/call.wav`;
		const recordings = [{ recordingId: '1', address }];
		await stage().send('failures-to-retry-list', 'recordings-to-transcribe', { recordings });
		const content = { recordingId: '1', text: spoken('call.wav') };
		expect(stage().deliveries).toEqual([{ system: 'archive', content }]);
	});
}
