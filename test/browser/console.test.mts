import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';

import { callOperation, send } from '../support/emulatorClient.mts';
import { documentedScopes } from '../support/serviceInterface.mts';
import { startEmulatorProcess, type EmulatorProcess } from '../../dev/emulator/emulatorProcess.mts';
import { operationHandlers } from '../../dev/emulator/service/index.mts';
import type { KeyRecord } from '../../dev/emulator/keys.mts';
import type { Settings } from '../../dev/emulator/settings.mts';
import type { Wallets } from '../../dev/emulator/wallets.mts';
import { readBox } from './pictures.mts';
import { expectEventually, makesPictures } from './runningDemo.mts';
import { useAnonymousTab } from './tab.mts';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** How long the page collects calls before it reports them, and how long it shows a message, in ms of its own time. */
const announceMs = 1500;
const messageMs = 6000;

/** How much of the page is beside the window, in pixels. */
const hiddenWidth = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe("in the emulator's console", () => {
	const tab = useAnonymousTab();
	let logged: string[] = [];
	let emulator: EmulatorProcess;
	let page: Page;

	beforeEach(async () => {
		emulator = await startEmulatorProcess();
		({ page } = tab);
		logged = [];
		page.on('pageerror', (error) => logged.push(error.message));
		page.on('console', (message) => {
			// The page's own policy refuses the style with which Playwright takes a picture.
			const isOfPicture = makesPictures && message.text().startsWith('Applying inline style');
			if (!isOfPicture) logged.push(message.text());
		});
		await page.setViewportSize({ width: 1200, height: 900 });
		// What the page shows for a while stays until the test lets the page's time go on.
		const now = Date.now();
		await page.clock.install({ time: now - 60_000 });
		await page.clock.pauseAt(now);
		await page.goto(emulator.consoleUrl);
		await page.getByText('Connected').waitFor();
	});
	afterEach(async () => {
		await emulator?.stop();
		expect(logged).toEqual([]);
	});

	/** Fails with what axe objects to, as "rule: element". */
	async function expectAccessible() {
		await page.evaluate(axe);
		// axe waits for timers of the page.
		await page.clock.resume();
		const faults = await page.evaluate(
			`axe.run().then(({ violations, passes }) => {
				if (passes.length < 10) throw new Error('axe found nothing to check');
				return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html));
			})`,
		);
		expect(faults).toEqual([]);
	}

	const readBalance = async (environment: keyof Wallets) =>
		(await emulator.callApi<Wallets>('GET', '/wallets'))[environment].balance;

	/** A number as the page writes it. */
	const format = (credits: number) => credits.toLocaleString('en-US');

	const readNewestKey = async () =>
		(await emulator.callApi<{ keys: KeyRecord[] }>('GET', '/keys')).keys.at(-1)!;

	const press = async (name: string) => await page.getByRole('button', { name }).click();

	const expectMessage = async (text: string) => await page.getByText(text).waitFor();

	/** The newest line of Usage, with single spaces. */
	const readNewestCall = async () => {
		const text = await page.locator('#usage-rows tr').first().innerText();
		return text.replace(/\s+/g, ' ');
	};

	tab.it('a key is created, shown once, used, and revoked', async () => {
		await page.getByLabel('Name (optional)').fill('My key');
		await press('Create key');
		const shown = page.locator('#new-key-value');
		await shown.waitFor({ state: 'visible' });
		const key = (await shown.textContent()) ?? '';
		expect(key).toMatch(/^eak_test_\w{32}$/);
		const created = await readNewestKey();
		expect(created).toMatchObject({
			name: 'My key',
			environment: 'sandbox',
			scopes: documentedScopes,
			revokedAt: null,
		});
		const { prefix } = created;

		const { credits } = operationHandlers.intent;
		const balance = await readBalance('sandbox');
		await callOperation(emulator, key, 'intent', { text: 'Hello' });
		await callOperation(emulator, key, 'sentiment', {});
		const rows = page.locator('#usage-rows tr', { hasText: prefix });
		await rows.nth(1).waitFor();
		expect(await rows.allInnerTexts()).toEqual([
			expect.stringMatching(/sentiment\s+Sandbox: test data\s+0\s+Refused, 400/),
			expect.stringMatching(`intent\\s+Sandbox: test data\\s+${credits}\\s+Accepted, 200`),
		]);
		await page
			.locator('#balance-sandbox')
			.getByText(format(balance - credits))
			.waitFor();
		await expectAccessible();

		await press('Done');
		expect(await page.content()).not.toContain(key);
		await tab.takePicture('console', async () => {
			// Nothing is shown for a while any more.
			await page.clock.runFor(announceMs + messageMs);
			await page.setViewportSize({ width: 1_160, height: 2_400 });
			const parts = [page.getByRole('banner'), page.locator('#keys')];
			return await tab.capture(parts, { margin: 8 });
		});

		await press(`Revoke ${prefix} My key`);
		await page.getByRole('dialog').waitFor();
		await expectAccessible();
		await press('Revoke key');
		const row = page.locator('#keys-rows').getByRole('row', { name: prefix });
		await row.getByRole('cell', { name: 'Revoked' }).waitFor();
		expect((await readNewestKey()).revokedAt).not.toBeNull();
		await page.setViewportSize({ width: 360, height: 700 });
		await page.emulateMedia({ colorScheme: 'dark' });
		await page.getByRole('button', { name: 'Create key' }).hover();
		await expectAccessible();
	});

	tab.it(
		'a wallet is topped up, a setting changed, and a wallet emptied after a confirmation',
		async () => {
			const expected = (await readBalance('live')) + 500;
			await page.getByLabel('Credits to add to the live wallet').fill('500');
			await page.keyboard.press('Enter');
			await expectMessage(`The live wallet now has ${format(expected)} credits.`);
			expect(await readBalance('live')).toBe(expected);
			await page.getByLabel('Unknown voices').selectOption('accept');
			await expectMessage('Saved: Unknown voices.');
			expect((await emulator.callApi<Settings>('GET', '/settings')).unknownVoice).toBe('accept');
			await emulator.callApi('PUT', '/settings', { latencyMs: 5 });
			const latency = page.getByLabel('Delay of responses (ms)');
			await expectEventually(async () => await latency.inputValue(), '5');

			await press('Empty wallet: live');
			const dialog = page.getByRole('dialog');
			await dialog.getByText(`It has ${format(expected)} credits.`).waitFor();
			await expectAccessible();
			await press('Keep the credits');
			await dialog.waitFor({ state: 'hidden' });
			expect(await readBalance('live')).toBe(expected);
			await press('Empty wallet: live');
			await press('Empty live wallet');
			await expectMessage('The live wallet now has 0 credits.');
			await press('Empty wallet: sandbox');
			await expectMessage('The sandbox wallet now has 0 credits.');
			expect([await readBalance('live'), await readBalance('sandbox')]).toEqual([0, 0]);
		},
	);

	tab.it('the form says what a key without scopes can do', async () => {
		const hint = page.getByRole('group', { name: 'Scopes' });
		await hint.getByText('Cloning a voice needs no scope').waitFor();
		await press('Select none');
		await press('Create key');
		await expectMessage('Key created. Without scopes it can only clone voices.');
		await emulator.callApi('PUT', '/settings', { voiceCloneScope: 'voice-clone' });
		await hint.getByText('Cloning a voice needs the scope "voice-clone"').waitFor();
		await press('Select none');
		await press('Create key');
		await expectMessage('Key created. Without scopes it can do nothing.');
	});

	tab.it('a test of a credential is counted neither as a call nor as a refused call', async () => {
		const key = await emulator.createKey('sandbox');
		await callOperation(emulator, key, 'intent', { text: 'Hello' });
		const totals = page.locator('#usage-totals');
		await totals.getByText(/^1 call\. /).waitFor();
		await page.clock.runFor(announceMs);
		// The node's credential tests itself with this request.
		const headers = { 'X-API-Key': key };
		await send(`${emulator.baseUrl}/ai/speech-to-text`, { method: 'GET', headers });
		await totals.getByText(/^1 call and 1 connection test\. /).waitFor();
		await page.clock.runFor(announceMs);
		await page.getByText(/^New: 1 connection test, /).waitFor();
		expect(await readNewestCall()).toMatch(/ connection test \(GET\) .* 0 Reached, 405 /);
	});

	tab.it('what changed while the connection was lost is shown when it is back', async () => {
		const key = await emulator.createKey('sandbox', { name: 'Made meanwhile' });
		await callOperation(emulator, key, 'intent', { text: 'Hello' });
		const isShown = page.locator('#keys-rows').getByRole('row', { name: 'Made meanwhile' });
		// The first connection ends before it has reported anything.
		const ended = { contentType: 'text/event-stream', body: ': open\n\n' };
		const end = async (route: Route) => await route.fulfill(ended);
		await page.route('**/console/api/events', end, { times: 1 });
		await page.reload();
		await page.getByText('Connection lost, trying again…').waitFor();
		expect(await isShown.count()).toBe(0);
		await page.getByText('Connected, up to date').waitFor();
		await isShown.waitFor();
		expect(await readNewestCall()).toMatch(/ intent .* Accepted, 200 /);
	});

	tab.it('the balances stay in view, and all notices are readable together', async () => {
		const name = 'A name that somebody typed without thinking of columns';
		const key = await emulator.createKey('sandbox', { name });
		await callOperation(emulator, key, 'no-such-operation-and-a-long-path'.repeat(3), {});
		await callOperation(emulator, key, 'intent', { text: 'Hello' });
		await page.getByText('/ai/no-such-operation').first().waitFor();
		const balances = page.getByRole('navigation').locator('#balances');
		// A small phone and a desktop.
		for (const width of [360, 1280]) {
			await page.setViewportSize({ width, height: 700 });
			await page.getByRole('link', { name: 'Usage', exact: true }).click();
			const bar = await readBox(balances);
			const heading = await readBox(page.getByRole('heading', { name: 'Usage' }));
			expect(bar.top).toBeGreaterThanOrEqual(0);
			expect(heading.top).toBeGreaterThan(bar.bottom);
			expect(heading.top).toBeLessThan(350);
			expect(await page.evaluate(hiddenWidth)).toBe(0);

			await page.getByLabel('Scope that cloning needs (empty: none)').fill('Not a scope');
			await page.keyboard.press('Enter');
			await page.locator('#problem:not(:empty)').waitFor();
			await press('Add credits to the live wallet');
			await page.locator('#message:not(:empty)').waitFor();
			await callOperation(emulator, key, 'intent', { text: 'Hello' });
			await page.clock.runFor(announceMs);
			await page.getByText(/^New: /).waitFor();
			const parts = page.locator('#notices > :not(:empty)');
			const boxes = await Promise.all((await parts.all()).map(readBox));
			boxes.sort((one, other) => one.top - other.top);
			expect(boxes).toHaveLength(3);
			// None begins before the one above it ends, and the window has all.
			const edges = [0, ...boxes.flatMap(({ top, bottom }) => [top, bottom]), 700];
			expect(edges).toEqual(edges.toSorted((one, other) => one - other));
			await page.clock.runFor(messageMs);
			expect(await parts.count()).toBe(0);
			// Chromium reports each response with an error.
			expect(logged.splice(0)).toEqual([expect.stringContaining('status of 400')]);
		}
	});
});
