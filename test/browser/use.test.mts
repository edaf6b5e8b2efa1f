import type { Locator } from 'playwright-core';

import type { CredentialReference } from '../../dev/n8n/rest.mts';
import { DemoEmulator } from '../support/demoEmulator.mts';
import { createVoiceNode } from '../support/flow.mts';
import { speechToTextParameters, textToSpeechParameters } from '../support/nodeParameters.mts';
import { respondWithJson, ScriptedServer } from '../support/servers/scriptedServer.mts';
import { executeFlow, findExecuteButton, saveCredential } from './flows.mts';
import { compose, createHidingRule, messages, type Piece } from './pictures.mts';
import { expectEventually, makesPictures, demo } from './runningDemo.mts';
import { useTab } from './tab.mts';

/** The output pane is too narrow for this button. */
const pinDataRule = createHidingRule('[data-test-id="ndv-pin-data"]');

const spoken = 'Hello from n8n. You hear a voice that was cloned.';

describe('the node at work', () => {
	const tab = useTab();
	const emulator = new DemoEmulator(demo.emulator);

	/** Seconds of a WAV file of 16 bit and one channel. */
	function readSeconds(wav: Buffer) {
		expect([wav.readUInt16LE(22), wav.readUInt16LE(34)]).toEqual([1, 16]);
		return wav.readUInt32LE(wav.indexOf('data') + 4) / (2 * wav.readUInt32LE(24));
	}

	afterEach(async () => await emulator.resetSettings());

	/** Opens the panel of a step that reads the text aloud in this voice, and executes it. */
	async function readAloud(voiceId: string, credential: CredentialReference) {
		const speaker = createVoiceNode({ ...textToSpeechParameters, text: spoken, voiceId });
		await executeFlow(tab, { from: { items: [{}] }, nodes: [speaker] }, credential);
	}

	const output = () => tab.part('output-panel');
	const waitForEnd = async () => await findExecuteButton(tab).getByText('Execute step').waitFor();

	/** The whole panel and the output next to it, as n8n shows them. */
	async function capturePanel(): Promise<Buffer> {
		// High enough for all fields.
		await tab.page.setViewportSize({ width: 1_400, height: 1_000 });
		return await tab.capture([tab.part('node-parameters'), output()], { style: pinDataRule });
	}

	/** The output down to an element. */
	const captureOutput = async (until: Locator) =>
		await tab.capture([output()], { until, style: pinDataRule });

	/** Waits until the page has played a part of this audio. */
	async function expectPlays(player: Locator, wav: Buffer) {
		const expected = readSeconds(wav);
		expect(expected).toBeGreaterThan(1);
		const readPlayback = async () =>
			await player.evaluate((audio: HTMLAudioElement) => ({
				seconds: Math.round(audio.duration * 10),
				played: audio.played.length > 0 && audio.played.end(0) > 0,
			}));
		await expectEventually(readPlayback, { seconds: Math.round(expected * 10), played: true });
	}

	// test/browser/firstTranscript.test.mts reads a transcript in the panel.
	if (makesPictures) {
		tab.it('outputs the text of a recording', async () => {
			const files = `${demo.files}/samples/call.wav`;
			const nodes = [createVoiceNode(speechToTextParameters)];
			await executeFlow(tab, { from: { files }, nodes }, demo.credential);
			const text = output().getByText(
				'I am so happy with the new bicycle. Please send the invoice.',
			);
			await text.waitFor();
			await waitForEnd();
			await tab.takePicture('speech-to-text', capturePanel);
		});

		tab.it('outputs the ID of a cloned voice', async () => {
			const files = `${demo.files}/samples/voice-sample.wav`;
			const cloner = createVoiceNode({ resource: 'voice', operation: 'clone', voiceName: 'Anna' });
			await executeFlow(tab, { from: { files }, nodes: [cloner] }, demo.credential);
			const id = output().getByText(/^vc_\w+$/);
			await id.waitFor();
			await waitForEnd();
			await tab.takePicture('clone', capturePanel);
		});
	}

	tab.it("plays the audio that it made in n8n's output pane", async () => {
		await readAloud(emulator.voiceId, demo.credential);
		await output().getByText('speech.wav').waitFor();
		await output().getByText('audio/wav').waitFor();
		await output().getByRole('button', { name: 'Download' }).waitFor();
		await waitForEnd();
		let file: Piece | undefined;
		if (makesPictures) {
			const png = await captureOutput(output().getByRole('button', { name: 'Download' }));
			file = { caption: 'The file is in the tab Binary', png };
		}
		await tab.takePicture('text-to-speech', capturePanel);

		await output().getByRole('button', { name: 'View' }).click();
		const player = tab.page.locator('audio');
		await player.waitFor();
		await expectPlays(player, await emulator.speak(spoken));
		await tab.takePicture('listen', async () => {
			const playing = { caption: 'View plays it', png: await captureOutput(player) };
			return await compose(tab.page, [[file!], [playing]]);
		});
	});

	const service = ScriptedServer.use();
	const error = () => output().locator('.node-error-view');

	// test/engine/refusals.test.mts tests other texts of the service.
	tab.it("shows the service's words in an error as text, without links", async () => {
		const { baseUrl } = service;
		const data = { apiKey: 'eak_test_errors', environment: 'sandbox', baseUrl };
		const message = '<a href="https://evil.example/login">Log in again</a><!-- ';
		service.respond = respondWithJson({ message }, 400);
		await readAloud('vc_1', await saveCredential('Scripted service', data));
		const words = '‹a href="https://evil.example/login"›Log in again‹/a›‹!--';
		await error().waitFor();
		const text = await error().innerText();
		expect(text).toContain(`(400): ${words}`);
		expect(text).toContain('The call was refused. Whether refused calls cost credits');
		const toast = tab.page.locator(`${messages}:has(.el-notification--error)`).first();
		expect(await toast.innerText()).toContain(words);
		for (const place of [error(), toast]) {
			expect(await place.locator('[href*="evil"]').count()).toBe(0);
		}
	});

	// The test above shows that n8n's panel has the message and the description.
	if (makesPictures) {
		tab.it("says in n8n's error panel what happened and what to do", async () => {
			const { apiKey, baseUrl } = demo.emulator;
			const consoleUrl = 'https://console.example.com';
			const data = { apiKey, environment: 'sandbox', baseUrl, consoleUrl };
			const credential = await saveCredential('Voice and Speech (empty wallet)', data);
			await emulator.changeSettings({ creditCosts: { 'text-to-speech': 1_000_000 } });
			await readAloud(emulator.voiceId, credential);
			await error().getByText('(402)').first().waitFor();
			// Only the description has this address.
			await error().getByText(consoleUrl).first().waitFor();
			await waitForEnd();
			const isDetails = 'contains(., "Error details") and contains(., "Other info")';
			const details = error().locator(`xpath=descendant::*[${isDetails}]`).last();
			await tab.takePicture('failed', async () => await captureOutput(details));
		});
	}
});
