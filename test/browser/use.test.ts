/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmulatedService } from '../full/examples/service';
import { loadTools } from '../full/tools';
import { hide } from './pictures';
import { eventually, stage } from './stage';
import { useTab } from './tab';

const SPOKEN = 'Hello from n8n. You hear a voice that was cloned.';

describe('the node at work', () => {
	const tab = useTab();
	let service: EmulatedService<typeof stage>;
	let folder: string;
	let recording: string;

	const testId = (id: string) => tab.page.locator(`[data-test-id="${id}"]`);

	const speak = async (text: string) =>
		Buffer.from(await (await service.recordingOf(text)).arrayBuffer());

	/** Seconds of a WAV file of 16 bit and one channel. */
	function secondsOf(wav: Buffer) {
		expect([wav.readUInt16LE(22), wav.readUInt16LE(34)]).toEqual([1, 16]);
		return wav.readUInt32LE(wav.indexOf('data') + 4) / (2 * wav.readUInt32LE(24));
	}

	beforeAll(async () => {
		service = new EmulatedService(await loadTools(), stage);
		folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-recording-'));
		recording = path.join(folder, 'memo.wav');
		await writeFile(recording, await speak(SPOKEN));
	});
	afterAll(async () => await rm(folder, { recursive: true, force: true }));

	tab.it("turns a recording into its text on a form's page", async () => {
		await tab.page.goto(`${stage.url}/form/transcribe-a-recording`);
		await tab.page.getByRole('heading', { name: 'Transcribe a recording' }).waitFor();
		const opened = tab.page.waitForEvent('filechooser');
		await tab.page.getByLabel('Recording').click();
		const chooser = await opened;
		expect(chooser.isMultiple()).toBe(false);
		await chooser.setFiles(recording);
		// The script of the last page makes n8n end the execution: leaving the page earlier would leave it waiting.
		const ended = tab.page.waitForResponse(
			(answer) => answer.request().method() === 'POST' && answer.url().includes('/form-waiting/'),
		);
		await tab.page.getByRole('button', { name: 'Transcribe' }).click();
		await tab.page.getByRole('heading', { name: 'Transcript', exact: true }).waitFor();
		await tab.page.getByText(SPOKEN, { exact: true }).waitFor();
		expect((await ended).status()).toBe(200);
	});

	tab.it('shows what came out among the executions of the workflow', async () => {
		const { page } = tab;
		const { id } = stage.workflows['form-upload-to-transcript']!;
		await page.goto(`${stage.url}/workflow/${id}/executions`);
		await page.locator('[data-test-id="canvas-trigger-node"]').first().waitFor();
		await page.getByText('Logs', { exact: true }).click();
		const logs = page.locator('[data-test-id="logs-panel"]');
		await logs.getByText('Transcribe Recording', { exact: true }).first().click();
		await logs.locator('[data-test-id="radio-button-table"]').click();
		await logs.getByText(SPOKEN, { exact: true }).waitFor();
	});

	async function addSpeaker(text: string, voice: string) {
		await tab.page.goto(`${stage.url}/workflow/new`);
		await tab.page.getByRole('button', { name: 'Open nodes panel' }).click();
		await tab.page.getByPlaceholder('Search nodes...').fill('text to speech');
		await tab.page.getByText('Voice and Speech', { exact: true }).click();
		await tab.page.getByText('Convert text to speech', { exact: true }).click();
		await tab.chooseCredential();
		await tab.paste('Text', text);
		await tab.paste('Voice ID', voice);
	}

	/** The panel with the fields of this operation, and what came out. */
	const result = async () =>
		await tab.capture([testId('node-parameters'), testId('output-panel')], {
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
		const expected = secondsOf(await speak(SPOKEN));
		expect(expected).toBeGreaterThan(1);
		const read = async () =>
			await player.evaluate((element) => {
				const audio = element as unknown as {
					duration: number;
					played: { length: number; end(range: number): number };
				};
				return {
					seconds: Math.round(audio.duration * 10),
					played: audio.played.length > 0 && audio.played.end(0) > 0,
				};
			});
		await eventually(read, { seconds: Math.round(expected * 10), played: true });
		await executeStep().getByText('Execute step').waitFor();
		await tab.picture('listen', result);
	});

	tab.it("says in n8n's error panel what happened and what to do", async () => {
		await addSpeaker(SPOKEN, 'vc_nobody');
		await executeStep().click();
		const panel = tab.page.locator('[data-test-id="output-panel"]');
		await panel.getByText('There is no voice with this voice_id').first().waitFor();
		await panel.getByText("check 'Voice ID'").first().waitFor();
		await executeStep().getByText('Execute step').waitFor();
		await tab.picture('failed', result);
	});
});
