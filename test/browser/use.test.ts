import { EmulatedService } from '../full/examples/service';
import { hide } from './pictures';
import { eventually, stage } from './stage';
import { useTab } from './tab';

const SPOKEN = 'Hello from n8n. You hear a voice that was cloned.';

describe('the node at work', () => {
	const tab = useTab();
	let service: EmulatedService;

	/** Seconds of a WAV file of 16 bit and one channel. */
	function secondsOf(wav: Buffer) {
		expect([wav.readUInt16LE(22), wav.readUInt16LE(34)]).toEqual([1, 16]);
		return wav.readUInt32LE(wav.indexOf('data') + 4) / (2 * wav.readUInt32LE(24));
	}

	beforeAll(async () => {
		service = new EmulatedService(stage.service);
	});

	async function addSpeaker(text: string, voice: string) {
		await tab.openNewWorkflow();
		await tab.addNode('Convert text to speech');
		await tab.paste('Text', text);
		await tab.paste('Voice ID', voice);
	}

	/** The panel with the fields of this operation, and what came out. */
	const result = async () =>
		await tab.capture([tab.part('node-parameters'), tab.part('output-panel')], {
			until: tab.field('Voice ID'),
			// The panel is too narrow for it.
			style: hide('[data-test-id="ndv-pin-data"]'),
		});

	const executeStep = () => tab.dialog.getByRole('button', { name: 'Execute step' }).first();

	tab.it("plays the audio that it made in n8n's output pane", async () => {
		await addSpeaker(SPOKEN, await service.voice());
		await executeStep().click();
		await tab.dialog.getByText('speech.wav').waitFor();
		await tab.dialog.getByText('audio/wav').waitFor();
		await tab.dialog.getByRole('button', { name: 'View' }).click();

		const player = tab.page.locator('audio');
		await player.waitFor();
		const expected = secondsOf(await service.speak(SPOKEN));
		expect(expected).toBeGreaterThan(1);
		const read = async () =>
			await player.evaluate((audio: HTMLAudioElement) => ({
				seconds: Math.round(audio.duration * 10),
				played: audio.played.length > 0 && audio.played.end(0) > 0,
			}));
		await eventually(read, { seconds: Math.round(expected * 10), played: true });
		await executeStep().getByText('Execute step').waitFor();
		await tab.picture('listen', result);
	});

	tab.it("says in n8n's error panel what happened and what to do", async () => {
		await addSpeaker(SPOKEN, 'vc_nobody');
		await executeStep().click();
		const panel = tab.part('output-panel');
		await panel.getByText('Unknown voice_id').first().waitFor();
		await panel.getByText("check 'Voice ID'").first().waitFor();
		await executeStep().getByText('Execute step').waitFor();
		await tab.picture('failed', result);
	});
});
