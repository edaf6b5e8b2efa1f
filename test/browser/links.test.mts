import { waitForExecution } from '../../dev/n8n/executions.mts';
import { signIn } from '../../dev/n8n/rest.mts';
import { putWorkflow, runWorkflow } from '../../dev/n8n/workflows.mts';
import { DemoEmulator } from '../support/demoEmulator.mts';
import { createVoiceNode, toWorkflow } from '../support/flow.mts';
import { textToSpeechParameters } from '../support/nodeParameters.mts';
import { expectEventually, demo } from './runningDemo.mts';
import { useTab } from './tab.mts';

describe('the link to the audio, for somebody without a login', () => {
	const tab = useTab({ signedIn: false });

	/** Makes audio whose link works for a time. */
	async function speak(linkHours: number): Promise<{ url: string; bytes: number }> {
		const rest = await signIn(demo.url, demo.login);
		const voiceId = await new DemoEmulator(demo.emulator).findVoice();
		const parameters = { ...textToSpeechParameters, voiceId, options: { linkHours } };
		const from = { items: [{ go: true }] };
		const workflow = toWorkflow({ from, nodes: [createVoiceNode(parameters)] }, demo.credential);
		const saved = await putWorkflow(rest, workflow);
		const id = await runWorkflow(rest, { ...workflow, ...saved }, 'Start');
		const { error, items } = await waitForExecution(rest, id);
		expect(error).toBeUndefined();
		return items('Voice')[0]!.json as { url: string; bytes: number };
	}

	/** Opens a page of another site that has the audio, as websites and mails do. */
	async function openPageWith(url: string) {
		await tab.page.setContent(`<audio controls src="${url}"></audio>`);
		const player = tab.page.locator('audio');
		return async () =>
			await player.evaluate(({ duration, error }: HTMLAudioElement) => ({
				canPlay: duration > 0,
				isRefused: error !== null,
			}));
	}

	tab.it('plays in a page to its end', async () => {
		const { url } = await speak(24);
		const readState = await openPageWith(url);
		await expectEventually(readState, { canPlay: true, isRefused: false });
		const hasEnded = async () =>
			await tab.page.locator('audio').evaluate(async (audio: HTMLAudioElement) => {
				if (audio.paused && !audio.ended) await audio.play();
				return audio.ended && audio.currentTime === audio.duration;
			});
		await expectEventually(hasEnded, true);
	});

	tab.it('is a download when it is opened by itself', async () => {
		const { url } = await speak(24);
		await tab.page.setContent(`<a href="${url}">Listen</a>`);
		const download = tab.page.waitForEvent('download');
		await tab.page.getByText('Listen').click();
		expect((await download).suggestedFilename()).toBe('speech.wav');
	});
});
