import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { recordings } from '../../../dev/demo/samples.mts';
import { listInstructions } from '../../../dev/demo/instructions.mts';
import type { ExampleRunner } from './exampleRunner.mts';

/** What the demo prints to try, with the settings that it chose and its stand-ins for outside systems. */
export function testStandIns(runner: () => ExampleRunner): void {
	const readSample = async (name: string) =>
		new File([await readFile(path.join(runner().demo.files, 'samples', name))], name, {
			type: 'audio/wav',
		});
	const findSpokenText = (name: string) => recordings[name]!.text;

	it('the demo turns an episode into show notes', async () => {
		await runner().run('podcast-to-show-notes', 'Every Morning');
		const content = { transcript: findSpokenText('episode.wav'), state: 'ready' };
		expect(runner().deliveries).toMatchObject([{ system: 'site', content }]);
	});

	it("the demo's assistant listens to a recording", async () => {
		const { demo } = runner();
		const example = 'agent-that-listens';
		const chatInput = listInstructions(demo)[example]!.split('ask: ')[1]!;
		const { execution } = await runner().chat(example, chatInput);
		const said = execution.items('Assistant')[0]?.json.output as string;
		expect(said).toContain(findSpokenText('call.wav'));
	});

	it("the demo's mock model answers each question of the checklist", async () => {
		const { message } = await runner().submit('score-calls', {
			Recordings: [await readSample('call.wav')],
		});
		expect(message).toMatch(/^call\.wav: 0 %(\s+unclear: a mock){3}$/);
	});

	it('the demo transcribes a recording at the address that the notes give', async () => {
		const address = `${runner().demo.mockSystems.url}/files/call.wav`;
		const recordings = [{ recordingId: '1', address }];
		await runner().send('failures-to-retry-list', 'recordings-to-transcribe', { recordings });
		const content = { recordingId: '1', text: findSpokenText('call.wav') };
		expect(runner().deliveries).toEqual([{ system: 'archive', content }]);
	});
}
