import type { Locator } from 'playwright-core';

import { startEmulatorProcess, type EmulatorProcess } from '../../dev/emulator/process.mts';
import { EmulatedService } from '../full/examples/service';
import { speak, voice, type Reference } from '../hosts/flow';
import { Canvas } from './canvas';
import { openFlow, saveCredential } from './flows';
import { compose, hide, type Piece } from './pictures';
import { eventually, makesPictures, stage } from './stage';
import { useTab } from './tab';

const spoken = 'Hello from n8n. You hear a voice that was cloned.';

describe('the node at work', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);
	let service: EmulatedService;

	/** Seconds of a WAV file of 16 bit and one channel. */
	function secondsOf(wav: Buffer) {
		expect([wav.readUInt16LE(22), wav.readUInt16LE(34)]).toEqual([1, 16]);
		return wav.readUInt32LE(wav.indexOf('data') + 4) / (2 * wav.readUInt32LE(24));
	}

	beforeAll(async () => {
		service = new EmulatedService(stage.service);
	});

	/** Opens the panel of a step that reads the text aloud in this voice, and executes it. */
	async function read(voiceId: string, credential: Reference) {
		const speaker = voice({ ...speak, text: spoken, voiceId });
		await openFlow(tab, { from: { items: [{}] }, nodes: [speaker] }, credential);
		await canvas.node('Voice').dblclick();
		await executeStep().click();
	}

	const executeStep = () => tab.dialog.getByRole('button', { name: 'Execute step' }).first();
	const output = () => tab.part('output-panel');

	/** The output down to an element. */
	const picture = async (until: Locator) =>
		// The panel is too narrow for the button.
		await tab.capture([output()], { until, style: hide('[data-test-id="ndv-pin-data"]') });

	tab.it("plays the audio that it made in n8n's output pane", async () => {
		await read(await service.voice(), stage.credential);
		await output().getByText('speech.wav').waitFor();
		await output().getByText('audio/wav').waitFor();
		await output().getByRole('button', { name: 'Download' }).waitFor();
		await executeStep().getByText('Execute step').waitFor();
		const pieces: Piece[] = [];
		if (makesPictures) {
			const png = await picture(output().getByRole('button', { name: 'Download' }));
			pieces.push({ caption: 'The file is in the tab Binary', png });
		}

		await output().getByRole('button', { name: 'View' }).click();
		const player = tab.page.locator('audio');
		await player.waitFor();
		const expected = secondsOf(await service.speak(spoken));
		expect(expected).toBeGreaterThan(1);
		const played = async () =>
			await player.evaluate((audio: HTMLAudioElement) => ({
				seconds: Math.round(audio.duration * 10),
				played: audio.played.length > 0 && audio.played.end(0) > 0,
			}));
		await eventually(played, { seconds: Math.round(expected * 10), played: true });
		await tab.picture('listen', async () => {
			pieces.push({ caption: 'View plays it', png: await picture(player) });
			return await compose(
				tab.page,
				pieces.map((piece) => [piece]),
			);
		});
	});

	describe('with an empty wallet', () => {
		let emulator: EmulatorProcess;

		beforeAll(async () => {
			emulator = await startEmulatorProcess();
			await emulator.api('PUT', '/wallets/sandbox', { balance: 0 });
		});
		afterAll(async () => await emulator?.stop());

		tab.it("says in n8n's error panel what happened and what to do", async () => {
			const credential = await saveCredential('Voice and Speech (empty wallet)', {
				apiKey: await emulator.createKey('sandbox'),
				environment: 'sandbox',
				baseUrl: emulator.baseUrl,
				consoleUrl: 'https://console.example.com',
			});
			await read('vc_1', credential);
			const error = output().locator('.node-error-view');
			await error.getByText('Payment required from the sandbox wallet (402)').first().waitFor();
			await error.getByText('Add credits to it').first().waitFor();
			expect(await error.innerText()).toContain('https://console.example.com');
			await executeStep().getByText('Execute step').waitFor();
			const isDetails = 'contains(., "Error details") and contains(., "Other info")';
			const details = error.locator(`xpath=descendant::*[${isDetails}]`).last();
			await tab.picture('failed', async () => await picture(details));
		});
	});
});
