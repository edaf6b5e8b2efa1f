import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';

import { createForm } from '../support/createForm.mts';
import { DemoEmulator } from '../support/demoEmulator.mts';
import { createTestFolder } from '../support/testFolder.mts';
import { createDeferred } from '../support/waiting.mts';
import { compose, type Piece } from './pictures.mts';
import { expectEventually, makesPictures, demo } from './runningDemo.mts';
import { useAnonymousTab } from './tab.mts';

const spoken = 'Please call me back tomorrow.';
const spokenAnswer = `You said: ${spoken}`;
const failedMessage = 'Sorry, that did not work. Please try again later.';
const chooseLabel = 'Record or choose a file';

/**
 * The page ignores a tap in the first 500 ms of a recording, and the transcript of the emulator must contain a duration of
 * at least one second.
 */
const recordingMs = 1_500;

/** A phone, in CSS pixels. */
const phone = { width: 360, height: 740 };

describe('the page of talk-to-your-workflow', () => {
	const microphone = path.join(createTestFolder(), 'microphone.wav');
	const tab = useAnonymousTab([
		'--use-fake-device-for-media-stream',
		`--use-file-for-fake-audio-capture=${microphone}`,
		// Browsers refuse the microphone to this host, because it has no https.
		'--host-resolver-rules=MAP website.example 127.0.0.1',
	]);
	/** The page as n8n serves it. */
	const inSandbox = `${demo.url}/webhook/talk`;
	/** Its copy on a website. */
	const onWebsite = `${demo.mockSystemsUrl}/website/talk`;
	const emulator = new DemoEmulator(demo.emulator);
	let recording: { name: string; mimeType: string; buffer: Buffer };

	beforeAll(async () => {
		recording = {
			name: 'question.wav',
			mimeType: 'audio/wav',
			buffer: await emulator.speak(spoken),
		};
		await writeFile(microphone, recording.buffer);
	});

	afterEach(async () => await emulator.resetSettings());

	/** Opens the page as a visitor who allows the microphone, or refuses it. */
	async function open(address: string, { allowed = true } = {}) {
		await tab.page.context().grantPermissions(allowed ? ['microphone'] : []);
		await tab.page.setViewportSize(phone);
		await tab.page.goto(address);
	}

	const button = () => tab.page.getByRole('button');
	const readLabel = async () => await button().innerText();
	const readStatus = async () => await tab.page.getByRole('status').innerText();
	const readWords = async () => await tab.page.locator('dd').allInnerTexts();

	/** Chooses a file where the page cannot record. */
	async function choose(file = recording) {
		const chooser = tab.page.waitForEvent('filechooser');
		await button().click();
		await (await chooser).setFiles(file);
	}

	/** Expects that the page plays and shows this answer. */
	async function expectAnswer(answer: string) {
		await expectEventually(readStatus, 'Here is the answer.');
		const [heard] = await readWords();
		expect(`You said: ${heard}`).toBe(answer);
		expect(await readWords()).toEqual([heard, answer]);
		const player = tab.page.locator('audio');
		await player.waitFor();
		const hasPlayed = async () =>
			await player.evaluate((audio: HTMLAudioElement) => audio.played.length > 0);
		await expectEventually(hasPlayed, true);
		expect(await player.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeGreaterThan(1);
	}

	/** Sends the emulator a recording that it understands in place of the microphone's. */
	async function replaceRecording() {
		await tab.page.route(/\/webhook\/talk$/, async (route) => {
			const file = new File([recording.buffer], 'recording.wav', { type: 'audio/wav' });
			const upload = new Response(createForm({ data: file }));
			const headers = { ...route.request().headers(), ...Object.fromEntries(upload.headers) };
			await route.continue({ headers, postData: Buffer.from(await upload.arrayBuffer()) });
		});
	}

	tab.it('takes what is said into the microphone, and answers in words and in audio', async () => {
		const pieces: Piece[] = [];
		// The gray makes the edge of the screen visible.
		const style = 'body { background: #f5f5f5 }';
		/** Keeps what is on the page from one of its elements on, as high as the longest answer. */
		const keep = async (caption: string, from: Locator) => {
			if (!makesPictures) return;
			const body = tab.page.locator('body');
			const png = await tab.capture([body], { from, height: 360, style });
			pieces.push({ caption, png });
		};
		const heading = () => tab.page.getByRole('heading').first();
		const state = () => tab.page.getByRole('status');
		await open(onWebsite);
		await replaceRecording();
		await expectEventually(readLabel, 'Tap to talk');
		await keep('Tap', heading());
		await button().click();
		await expectEventually(readLabel, 'Tap to send');
		expect(await readStatus()).toBe('Speak now, for up to 60 seconds.');
		await keep('Speak', heading());
		await tab.page.waitForTimeout(recordingMs);
		await button().click();
		await expectAnswer(spokenAnswer);
		expect(await readLabel()).toBe('Tap to talk');
		await keep('Hear and read the answer', state());
		await tab.takePicture('talk', async () => await compose(tab.page, [pieces]));
	});

	tab.it("transcribes the recording of the browser's own recorder", async () => {
		await open(onWebsite);
		await button().click();
		await expectEventually(readLabel, 'Tap to send');
		await tab.page.waitForTimeout(recordingMs);
		await button().click();
		await expectEventually(readStatus, 'Here is the answer.');
		const [heard, answer] = await readWords();
		expect(heard).toMatch(
			/^Make-believe transcript: received a WAV recording \(perhaps converted by the node\), .+ 16000 Hz and 1 channel\.$/,
		);
		// A slow browser records more than its two seconds.
		const [seconds] = /[\d.]+(?= seconds)/.exec(heard!)!;
		expect(Number(seconds)).toBeGreaterThan(0.5);
		expect(Number(seconds)).toBeLessThan(30);
		expect(answer).toBe(`You said: ${heard}`);
	});

	tab.it('does not end the recording at a double tap', async () => {
		await open(onWebsite);
		// Both taps are in the first 500 ms of the recording.
		await tab.page.clock.setFixedTime(Date.now());
		await button().click();
		await expectEventually(readLabel, 'Tap to send');
		await button().click();
		expect(await tab.page.evaluate('recorder.state')).toBe('recording');
		expect(await readLabel()).toBe('Tap to send');
	});

	tab.it('says how to allow the microphone if it is refused', async () => {
		await open(onWebsite, { allowed: false });
		await button().click();
		await expectEventually(
			readStatus,
			'The microphone is blocked. Allow it for this page in your browser, then tap again.',
		);
		expect(await readLabel()).toBe('Tap to talk');
		await tab.page.context().grantPermissions(['microphone']);
		await button().click();
		await expectEventually(readLabel, 'Tap to send');
	});

	tab.it("takes a file where n8n's sandbox forbids the microphone", async () => {
		await open(inSandbox);
		expect(await readLabel()).toBe(chooseLabel);
		expect(await readStatus()).toMatch(/^The microphone cannot be used on this page\./);
		await choose();
		await expectAnswer(spokenAnswer);
	});

	tab.it('takes a file where the page has no https', async () => {
		await open(onWebsite.replace('127.0.0.1', 'website.example'));
		expect(await readLabel()).toBe(chooseLabel);
		expect(await readStatus()).toMatch(/^This page was opened without https/);
		await choose();
		await expectAnswer(spokenAnswer);
	});

	tab.it('works with the keyboard, says what it waits for, and keeps the focus', async () => {
		await open(onWebsite);
		await replaceRecording();
		const { promise, resolve: sendUpload } = createDeferred();
		await tab.page.route(/\/webhook\/talk$/, async (route) => {
			await promise;
			await route.fallback();
		});
		const isFocused = async () =>
			await button().evaluate((element) => document.activeElement === element);
		await tab.page.keyboard.press('Tab');
		expect(await isFocused()).toBe(true);
		await tab.page.keyboard.press('Enter');
		await expectEventually(readLabel, 'Tap to send');
		await tab.page.waitForTimeout(recordingMs);
		await tab.page.keyboard.press('Space');
		await expectEventually(readStatus, 'Waiting for the answer.');
		expect(await button().getAttribute('aria-disabled')).toBe('true');
		expect(await isFocused()).toBe(true);
		// It is not sent twice.
		await tab.page.keyboard.press('Enter');
		sendUpload();
		await expectAnswer(spokenAnswer);
		expect(await isFocused()).toBe(true);
	});

	tab.it('tells the visitor that it failed, but not why', async () => {
		await open(inSandbox);
		await choose({ ...recording, buffer: Buffer.from('no audio at all') });
		await expectEventually(readStatus, failedMessage);
		expect(await readWords()).toEqual(['', '']);
		expect(await tab.page.locator('audio').isVisible()).toBe(false);
		expect(await readLabel()).toBe(chooseLabel);
	});

	tab.it('shows the answer as text if it cannot be read aloud', async () => {
		await open(inSandbox);
		await emulator.changeSettings({ creditCosts: { 'text-to-speech': 1_000_000 } });
		await choose();
		await expectEventually(readStatus, 'Here is the answer as text.');
		expect(await readWords()).toEqual([spoken, spokenAnswer]);
		expect(await tab.page.locator('audio').isVisible()).toBe(false);
	});

	tab.it('does not mention n8n if n8n cannot be reached', async () => {
		await open(inSandbox);
		await tab.page.route(/\/webhook\/talk$/, async (route) => await route.abort());
		await choose();
		await expectEventually(readStatus, failedMessage);
	});
});
