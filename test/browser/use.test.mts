import type { Locator } from 'playwright-core';

import type { CredentialReference } from '../../dev/n8n/rest.mts';
import { startEmulatorProcess, type EmulatorProcess } from '../../dev/emulator/emulatorProcess.mts';
import { DemoEmulator } from '../support/demoEmulator.mts';
import { listBlocks } from '../support/markdown.mts';
import { createVoiceNode, type Flow } from '../support/flow.mts';
import { respondWithBytes, ScriptedServer } from '../support/servers/scriptedServer.mts';
import { speechToTextParameters, textToSpeechParameters } from '../support/nodeParameters.mts';
import { Canvas } from './canvas.mts';
import { openFlow, saveCredential } from './flows.mts';
import { compose, readHeight, createHidingRule, type Piece } from './pictures.mts';
import { expectEventually, makesPictures, demo } from './runningDemo.mts';
import { useTab } from './tab.mts';

const spoken = 'Hello from n8n. You hear a voice that was cloned.';

describe('the node at work', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);
	/** Where the audio of a web page comes from. */
	const website = ScriptedServer.use();
	let emulator: DemoEmulator;

	/** Seconds of a WAV file of 16 bit and one channel. */
	function readSeconds(wav: Buffer) {
		expect([wav.readUInt16LE(22), wav.readUInt16LE(34)]).toEqual([1, 16]);
		return wav.readUInt32LE(wav.indexOf('data') + 4) / (2 * wav.readUInt32LE(24));
	}

	beforeAll(async () => {
		emulator = new DemoEmulator(demo.emulator);
	});

	/** Opens the panel of our node in this workflow, and executes it. */
	async function execute(flow: Flow, credential: CredentialReference) {
		await openFlow(tab, flow, credential);
		await canvas.node('Voice').dblclick();
		await executeButton().click();
	}

	/** Opens the panel of a step that reads the text aloud in this voice, and executes it. */
	async function readAloud(voiceId: string, credential: CredentialReference) {
		const speaker = createVoiceNode({ ...textToSpeechParameters, text: spoken, voiceId });
		await execute({ from: { items: [{}] }, nodes: [speaker] }, credential);
	}

	const executeButton = () => tab.dialog.getByRole('button', { name: 'Execute step' }).first();
	const output = () => tab.part('output-panel');
	const waitForEnd = async () => await executeButton().getByText('Execute step').waitFor();

	/** The fields of the panel from one to another. */
	async function captureFields(caption: string, first: string, last: string): Promise<Piece> {
		const [from, until] = [tab.field(first), tab.field(last)];
		return { caption, png: await tab.capture([tab.part('node-parameters')], { from, until }) };
	}

	/** The output down to an element, as wide as two pictures of the panel. */
	async function captureWideOutput(until: Locator): Promise<Buffer> {
		const { width: usual } = (await output().boundingBox())!;
		await tab.page.setViewportSize({ width: 2_170, height: 960 });
		const isWide = async () => (await output().boundingBox())!.width > 1.5 * usual;
		await expectEventually(isWide, true);
		const png = await captureOutput(until);
		await tab.page.setViewportSize({ width: 1_400, height: 960 });
		return png;
	}

	/** The output down to an element, or of this height. */
	const captureOutput = async (until: Locator, height?: number) =>
		// The panel is too narrow for the button.
		await tab.capture([output()], {
			until,
			height,
			style: createHidingRule('[data-test-id="ndv-pin-data"]'),
		});

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

	tab.it('outputs the text of a recording', async () => {
		const files = `${demo.files}/samples/call.wav`;
		await execute(
			{ from: { files }, nodes: [createVoiceNode(speechToTextParameters)] },
			demo.credential,
		);
		const text = output().getByText('I am so happy with the new bicycle. Please send the invoice.');
		await text.waitFor();
		await waitForEnd();
		await tab.takePicture('speech-to-text', async () => {
			const operation = await captureFields('Choose the operation', 'Resource', 'Operation');
			const input = await captureFields(
				'Choose the recording',
				'Audio Source',
				'Input Data Field Name',
			);
			const result = { caption: 'What you get', png: await captureWideOutput(text) };
			return await compose(tab.page, [[operation, input], [result]]);
		});
	});

	tab.it('outputs the ID of a cloned voice', async () => {
		const files = `${demo.files}/samples/voice-sample.wav`;
		const cloner = createVoiceNode({ resource: 'voice', operation: 'clone', voiceName: 'Anna' });
		await execute({ from: { files }, nodes: [cloner] }, demo.credential);
		const id = output().getByText(/^vc_\w+$/);
		await id.waitFor();
		await waitForEnd();
		await tab.takePicture('clone', async () => {
			const operation = await captureFields('Choose the operation', 'Resource', 'Operation');
			const input = await captureFields(
				'Choose the recording, name the voice',
				'Input Data Field Name',
				'Voice Name',
			);
			const result = { caption: 'What you get', png: await captureWideOutput(id) };
			return await compose(tab.page, [[operation, input], [result]]);
		});
	});

	tab.it("plays the audio that it made in n8n's output pane", async () => {
		await readAloud(await emulator.findVoice(), demo.credential);
		await output().getByText('speech.wav').waitFor();
		await output().getByText('audio/wav').waitFor();
		await output().getByRole('button', { name: 'Download' }).waitFor();
		await waitForEnd();
		let file: Piece | undefined;
		const chosen: Piece[] = [];
		if (makesPictures) {
			const png = await captureOutput(output().getByRole('button', { name: 'Download' }));
			file = { caption: 'The file is in the tab Binary', png };
			chosen.push(await captureFields('Choose the operation', 'Resource', 'Allowed Keys'));
			chosen.push(await captureFields('Enter text and voice', 'Text', 'Voice ID'));
		}

		await output().getByRole('button', { name: 'View' }).click();
		const player = tab.page.locator('audio');
		await player.waitFor();
		await expectPlays(player, await emulator.speak(spoken));
		await tab.takePicture('listen', async () => {
			const playing = { caption: 'View plays it', png: await captureOutput(player) };
			return await compose(tab.page, [[file!], [playing]]);
		});
		await tab.takePicture('text-to-speech', async () => {
			const png = await captureOutput(player, readHeight(file!.png));
			return await compose(tab.page, [chosen, [file!, { caption: 'View plays it', png }]], {
				fillRows: true,
			});
		});
	});

	tab.it('plays audio on a web page with the block of docs/how-to.md', async () => {
		const speech = await emulator.speak(spoken);
		website.respond = respondWithBytes(speech, 'audio/wav');
		const [block] = listBlocks('docs/how-to.md').filter(({ language }) => language === 'html');
		const page = await tab.page.context().newPage();
		await page.setContent(block!.text.replace(/src="[^"]*"/, `src="${website.baseUrl}/speech"`));
		const player = page.locator('audio[controls]');
		await player.evaluate(async (audio: HTMLAudioElement) => await audio.play());
		await expectPlays(player, speech);
	});

	describe('with an empty wallet', () => {
		let emulator: EmulatorProcess;

		beforeAll(async () => {
			emulator = await startEmulatorProcess();
			await emulator.callApi('PUT', '/wallets/sandbox', { balance: 0 });
		});
		afterAll(async () => await emulator?.stop());

		tab.it("says in n8n's error panel what happened and what to do", async () => {
			const credential = await saveCredential('Voice and Speech (empty wallet)', {
				apiKey: await emulator.createKey('sandbox'),
				environment: 'sandbox',
				baseUrl: emulator.baseUrl,
				consoleUrl: 'https://console.example.com',
			});
			await readAloud('vc_1', credential);
			const error = output().locator('.node-error-view');
			await error.getByText('(402)').first().waitFor();
			// Only the description has this address.
			await error.getByText('https://console.example.com').first().waitFor();
			await waitForEnd();
			const isDetails = 'contains(., "Error details") and contains(., "Other info")';
			const details = error.locator(`xpath=descendant::*[${isDetails}]`).last();
			await tab.takePicture('failed', async () => await captureOutput(details));
		});
	});
});
