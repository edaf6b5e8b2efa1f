import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';

import { callOperation, send } from '../support/emulatorClient.mts';
import { createUpload } from '../support/createForm.mts';
import { documentedScopes } from '../support/serviceInterface.mts';
import { startEmulatorProcess, type EmulatorProcess } from '../../dev/emulator/emulatorProcess.mts';
import { operationHandlers } from '../../dev/emulator/service/index.mts';
import type { KeyRecord } from '../../dev/emulator/keys.mts';
import type { Settings } from '../../dev/emulator/settings.mts';
import type { Wallets } from '../../dev/emulator/wallets.mts';
import { createWav } from '../support/media/recordings.mts';
import { readBox } from './pictures.mts';
import { expectEventually, makesPictures } from './runningDemo.mts';
import { useAnonymousTab } from './tab.mts';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** How long the page collects calls before it reports them, and how long it shows a message, in ms of its own time. */
const announceMs = 1500;
const messageMs = 6000;

/** A small phone and a desktop. */
const widths = [360, 1280];

/** The longest name, for a key that has nothing short. The key has all scopes too. */
const longName = 'A name that somebody typed without thinking of columns '.repeat(2).slice(0, 100);

/** What is out of reach on the page, in words. Inputs scroll their own text. */
const unreachable = `(() => {
	const width = document.documentElement.clientWidth;
	const faults = [];
	const shown = [...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility());
	const nameElement = ({ tagName, id, textContent }) =>
		tagName + '#' + id + ' ' + textContent.replace(/\\s+/g, ' ').slice(0, 40);
	for (const one of shown) {
		const { left, right } = one.getBoundingClientRect();
		if (left < 0 || right > width) faults.push('outside of the window: ' + nameElement(one));
		const hidesParts = getComputedStyle(one).overflowX !== 'visible' && !('value' in one);
		if (hidesParts && one.scrollWidth > one.clientWidth) faults.push('cut: ' + nameElement(one));
	}
	for (const input of shown.filter(({ type }) => type === 'radio' || type === 'checkbox')) {
		const label = input.labels[0];
		const range = document.createRange();
		const text = [...label.childNodes].find((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
		range.selectNodeContents(text);
		const [words] = [...range.getClientRects()].filter((rect) => rect.width > 0);
		const box = input.getBoundingClientRect();
		const isNext = words.left >= box.right && words.left - box.right < 16;
		const isOnLine = words.top < box.bottom && words.bottom > box.top;
		if (!isNext || !isOnLine) faults.push('apart from its box: ' + nameElement(label));
	}
	return faults;
})()`;

/** The reached controls that the window shows while they have the focus. */
const reached = `(() => {
	globalThis.reached ??= new Set();
	const one = document.activeElement;
	const { left, right, top, bottom } = one.getBoundingClientRect();
	// Chromium scrolls to whole pixels.
	const isShown = left >= 0 && right <= innerWidth && top > -1 && bottom < innerHeight + 1;
	if (isShown && one.matches('a, button, select, summary, input')) reached.add(one);
	return reached.size;
})()`;

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

	/** Fails unless the Tab key reaches every control. */
	async function expectReachedWithTab() {
		// The Tab key goes to one of the two radio buttons; the arrow keys go to the other.
		const controls = page.locator('a, button, select, summary, input:not([value=live])');
		const expected = await controls.filter({ visible: true }).count();
		expect(expected).toBeGreaterThan(20);
		await page.evaluate('document.activeElement.blur(); globalThis.reached = undefined;');
		let count = 0;
		for (let presses = 0; presses < expected + 10 && count < expected; presses++) {
			await page.keyboard.press('Tab');
			count = await page.evaluate<number>(reached);
		}
		expect(count).toBe(expected);
	}

	const readBalance = async (environment: keyof Wallets) =>
		(await emulator.callApi<Wallets>('GET', '/wallets'))[environment].balance;

	/** A number as the page writes it. */
	const format = (credits: number) => credits.toLocaleString('en-US');

	const readNewestKey = async () =>
		(await emulator.callApi<{ keys: KeyRecord[] }>('GET', '/keys')).keys.at(-1)!;

	const press = async (name: string) => await page.getByRole('button', { name }).click();

	const expectMessage = async (text: string) => await page.getByText(text).waitFor();

	/** Creates a key with all scopes without the page. */
	const createKey = async (environment: string, name: string) => {
		const wanted = { environment, name, scopes: documentedScopes };
		return await emulator.callApi<{ key: string; prefix: string }>('POST', '/keys', wanted);
	};

	/** The newest line of Usage, with single spaces. */
	const readNewestCall = async () => {
		const text = await page.locator('#usage-rows tr').first().innerText();
		return text.replace(/\s+/g, ' ');
	};

	tab.it('each button has a name of its own', async () => {
		for (const name of ['One', 'Two']) {
			const { prefix } = await createKey('sandbox', name);
			await page.getByRole('button', { name: `Revoke ${prefix} ${name}` }).waitFor();
		}
		const buttons = page.getByRole('button').filter({ visible: true });
		const snapshots = await Promise.all(
			(await buttons.all()).map(async (one) => one.ariaSnapshot()),
		);
		expect(snapshots.length).toBeGreaterThan(8);
		expect(snapshots).toEqual([...new Set(snapshots)]);
	});

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

	tab.it(
		'the form is at Sandbox again after a live key was created, and says what a key without scopes can do',
		async () => {
			await page.getByLabel('Live eak_live_').check();
			await page.getByLabel('sentiment', { exact: true }).uncheck();
			await press('Create key');
			await page.getByRole('heading', { name: 'Your new live key' }).waitFor();
			expect(await page.locator('#new-key-value').textContent()).toMatch(/^eak_live_/);
			expect((await readNewestKey()).scopes).toEqual(
				documentedScopes.filter((scope) => scope !== 'sentiment'),
			);
			expect(await page.getByLabel('Sandbox eak_test_').isChecked()).toBe(true);
			expect(await page.getByLabel('sentiment', { exact: true }).isChecked()).toBe(true);
			await press('Done');

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
		},
	);

	tab.it('a test of a credential is counted neither as a call nor as a refused call', async () => {
		const { key } = await createKey('sandbox', 'Tested');
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
		// Any other request that is not a call is listed with its path.
		await send(`${emulator.baseUrl}/ai/sentiment`, { method: 'GET', headers });
		await page.getByText('GET /ai/sentiment').waitFor();
		expect(await readNewestCall()).toMatch(/ GET \/ai\/sentiment .* 0 Refused, 405 /);
	});

	tab.it('the delay of a revocation is that of the setting', async () => {
		const { prefix } = await createKey('sandbox', 'Short-lived');
		const revoke = page.getByRole('button', { name: `Revoke ${prefix} Short-lived` });
		const dialog = page.getByRole('dialog');
		const setting = page.getByLabel('Time until a revoked key is refused (ms)');
		for (const [revocationDelayMs, words] of [
			[0, 'at once'],
			[1000, 'after 1 second'],
			[2500, 'after 2.5 seconds'],
		] as const) {
			await emulator.callApi('PUT', '/settings', { revocationDelayMs });
			await expectEventually(async () => await setting.inputValue(), `${revocationDelayMs}`);
			await revoke.click();
			const text = `${prefix} (Short-lived) stops working ${words}. This cannot be undone.`;
			await dialog.getByText(text).waitFor();
			await press('Keep it');
		}
		// The keyboard opens and leaves the dialog too.
		await revoke.focus();
		await page.keyboard.press('Enter');
		await dialog.waitFor();
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'hidden' });
		expect(await page.locator(':focus').getAttribute('aria-label')).toContain(prefix);

		await revoke.click();
		await press('Revoke key');
		await expectMessage(`${prefix} is revoked. It stops working after 2.5 seconds.`);
	});

	tab.it('what changed while the connection was lost is shown when it is back', async () => {
		const { key } = await createKey('sandbox', 'Made meanwhile');
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
		const { key } = await createKey('sandbox', 'Called meanwhile');
		const balances = page.getByRole('navigation').locator('#balances');
		for (const [index, width] of [400, 1280].entries()) {
			await page.setViewportSize({ width, height: 700 });
			await page.getByRole('link', { name: 'Usage', exact: true }).click();
			await callOperation(emulator, key, 'intent', { text: 'Hello' });
			await page
				.locator('#usage-totals')
				.getByText(new RegExp(`^${index + 1} calls?\\. `))
				.waitFor();
			const [sandbox, live] = [await readBalance('sandbox'), await readBalance('live')];
			const expected = `Sandbox: ${format(sandbox)}, live: ${format(live)} credits`;
			await expectEventually(async () => await balances.textContent(), expected);
			const bar = await readBox(balances);
			const heading = await readBox(page.getByRole('heading', { name: 'Usage' }));
			expect(bar.top).toBeGreaterThanOrEqual(0);
			expect(heading.top).toBeGreaterThan(bar.bottom);
			expect(heading.top).toBeLessThan(350);

			await page.getByLabel('Scope that cloning needs (empty: none)').fill('Not a scope');
			await page.keyboard.press('Enter');
			await page.locator('#problem:not(:empty)').waitFor();
			await press('Add credits to the live wallet');
			await page.locator('#message:not(:empty)').waitFor();
			await page.clock.runFor(announceMs);
			await page.getByText(/^New: 1 call, /).waitFor();
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

	tab.it(
		'everything is in the window, has its label, and is reached with the Tab key',
		async () => {
			const expectedLabels = {
				'#calls': ['Time', 'Operation', 'Environment', 'Credits', 'Result', 'Key', 'Size', 'Voice'],
				'#keys-table': ['Key', 'Name', 'Environment', 'Created', 'Scopes', 'State'],
			};
			const { key, prefix } = await createKey('live', longName);
			const form = createUpload(createWav(), { name: 'Anna' });
			const { json } = await callOperation(emulator, key, 'voice-clone', form);
			await callOperation(emulator, key, 'post-call-analytics', { text: 'Hello' });
			await callOperation(emulator, key, 'no-such-operation-and-a-long-path'.repeat(3), {});
			const usual = await createKey('live', 'Usual');
			await page.getByText(json.voice_id).first().waitFor();
			await page.getByText('/ai/no-such-operation').first().waitFor();
			const getRow = (name: string) => page.locator('#keys-rows').getByRole('row', { name });
			const year = String(new Date().getFullYear());
			expect(await getRow(prefix).innerText()).toContain(longName);
			expect(await getRow(usual.prefix).innerText()).toContain(year);
			expect(await readNewestCall()).toContain(year);
			for (const width of widths) {
				await page.setViewportSize({ width, height: 800 });
				expect({ width, faults: await page.evaluate(unreachable) }).toEqual({ width, faults: [] });
				for (const [table, labels] of Object.entries(expectedLabels)) {
					for (const label of labels) {
						const shown = page.locator(table).getByText(label, { exact: true });
						await shown.filter({ visible: true }).first().waitFor();
					}
				}
				// In the narrowest window, the text of the documented scopes alone is 90 to 100 pixels high.
				const { top, bottom } = await readBox(getRow(usual.prefix));
				expect(bottom - top).toBeLessThan(width < 400 ? 300 : 250);
				await expectReachedWithTab();
				await expectAccessible();
			}
			await page.emulateMedia({ colorScheme: 'dark' });
			expect(await page.evaluate(unreachable)).toEqual([]);
			await expectAccessible();
		},
	);
});
