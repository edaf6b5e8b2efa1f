import { waitForExecution } from '../../dev/n8n/executions.mts';
import { signIn } from '../../dev/n8n/rest.mts';
import { createVoiceNode, startFlow } from '../support/flow.mts';
import { listBlocks } from '../support/markdown.mts';
import { textToSpeechParameters } from '../support/nodeParameters.mts';
import { expectEventually, demo } from './runningDemo.mts';
import { useAnonymousTab } from './tab.mts';

describe('the link to the audio, for somebody without a login', () => {
	const tab = useAnonymousTab();

	/** Makes audio; returns its link. */
	async function speak(): Promise<string> {
		const rest = await signIn(demo.url, demo.login);
		const { voiceId } = demo.emulator;
		const parameters = { ...textToSpeechParameters, voiceId, options: { linkHours: 24 } };
		const flow = { from: { items: [{}] }, nodes: [createVoiceNode(parameters)] };
		const id = await startFlow(rest, flow, demo.credential);
		const { error, items } = await waitForExecution(rest, id);
		expect(error).toBeUndefined();
		return items('Voice')[0]!.json.url as string;
	}

	tab.it('plays to its end with the block of docs/how-to.md', async () => {
		const url = await speak();
		const [block] = listBlocks('docs/how-to.md').filter(({ language }) => language === 'html');
		await tab.page.setContent(block!.text.replace(/src="[^"]*"/, `src="${url}"`));
		const hasEnded = async () =>
			await tab.page.locator('audio[controls]').evaluate(async (audio: HTMLAudioElement) => {
				if (audio.paused && !audio.ended) await audio.play();
				return audio.duration > 0 && audio.ended && audio.currentTime === audio.duration;
			});
		await expectEventually(hasEnded, true);
	});

	tab.it('is a download when it is opened by itself', async () => {
		const url = await speak();
		await tab.page.setContent(`<a href="${url}">Listen</a>`);
		const download = tab.page.waitForEvent('download');
		await tab.page.getByText('Listen').click();
		expect((await download).suggestedFilename()).toBe('speech.wav');
	});
});
