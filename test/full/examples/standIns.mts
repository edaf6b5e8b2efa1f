import { recordings } from '../../../dev/demo/samples.mts';
import { listInstructions } from '../../../dev/demo/instructions.mts';
import { runner } from './exampleRunner.mts';

it('the stand-ins of the demo answer what it prints to try, with the settings that it chose', async () => {
	const findSpokenText = (name: string) => recordings[name]!.text;
	await runner.run('podcast-to-show-notes', 'Every Morning');
	const content = { transcript: findSpokenText('episode.wav'), state: 'ready' };
	expect(runner.deliveries).toMatchObject([{ system: 'site', content }]);

	const example = 'agent-that-listens';
	const chatInput = listInstructions(runner.demo)[example]!.split('ask: ')[1]!;
	const { execution } = await runner.chat(example, chatInput);
	const said = execution.items('Assistant')[0]?.json.output as string;
	expect(said).toContain(findSpokenText('call.wav'));
});
