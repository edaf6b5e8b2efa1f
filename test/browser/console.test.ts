/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { sendJson } from '../emulator/client';
import { startEmulator, type RunningEmulator } from '../support/emulator';
import { makesPictures } from './stage';
import { useTab } from './tab';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Opens the console of an emulator for the tests of a describe; it must not log an error. */
function useConsole() {
	const tab = useTab({ signedIn: false });
	const under = { tab } as { tab: typeof tab; page: Page; emulator: RunningEmulator };
	const logged: string[] = [];

	beforeAll(async () => {
		under.emulator = await startEmulator();
		under.page = tab.page;
		tab.page.on('pageerror', (error) => logged.push(error.message));
		tab.page.on('console', (message) => {
			// The page's own policy refuses the style with which Playwright takes a picture.
			const isOfPicture = makesPictures && message.text().startsWith('Applying inline style');
			if (!isOfPicture) logged.push(message.text());
		});
		await tab.page.goto(under.emulator.consoleUrl);
		await tab.page.getByText('Connected').waitFor();
	});
	afterAll(async () => {
		await under.emulator?.stop();
		expect(logged).toEqual([]);
	});
	return under;
}

describe("the emulator's console is accessible", () => {
	const under = useConsole();
	const { tab } = under;

	/** What axe objects to, as "rule: element". */
	async function faults() {
		await tab.page.evaluate(AXE);
		return (await tab.page.evaluate(
			`axe.run().then(({ violations, passes }) => {
				if (passes.length < 10) throw new Error('axe found nothing to check');
				return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html));
			})`,
		)) as string[];
	}

	tab.it('when it is opened', async () => {
		expect(await faults()).toEqual([]);
	});

	tab.it('with a new key, calls and a dialog', async () => {
		await tab.page.getByLabel(/^Name/).fill('My key');
		await tab.page.getByRole('button', { name: 'Create key' }).click();
		const key = await tab.page.locator('#new-key-value').innerText();
		for (const operation of ['intent', 'sentiment']) {
			await sendJson(under.emulator, key, operation, { text: 'Please call me back.' });
		}
		await tab.page.getByRole('cell', { name: 'sentiment' }).waitFor();
		expect(await faults()).toEqual([]);

		await tab.page.getByRole('button', { name: 'Done' }).click();
		await tab.page.getByRole('button', { name: 'Revoke' }).first().click();
		await tab.page.getByRole('dialog').waitFor();
		expect(await faults()).toEqual([]);
		await tab.page.keyboard.press('Escape');
		await tab.picture('console', async () => {
			// The calls have been announced, together or one by one.
			await tab.page.locator('#message:empty').waitFor({ state: 'attached' });
			await tab.page.setViewportSize({ width: 1_160, height: 2_400 });
			await tab.page.mouse.click(1, 1);
			return await tab.capture([tab.page.locator('#keys')], { margin: 8 });
		});
	});

	tab.it('in a dark and narrow window, and not wider than that', async () => {
		await tab.page.emulateMedia({ colorScheme: 'dark' });
		await tab.page.setViewportSize({ width: 360, height: 700 });
		expect(await faults()).toEqual([]);
		expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
	});
});

describe("the emulator's console, by keyboard alone", () => {
	const under = useConsole();
	const { tab } = under;
	let emulator: RunningEmulator;
	let page: Page;

	beforeAll(async () => {
		({ emulator, page } = under);
		await page.setViewportSize({ width: 1200, height: 900 });
	});

	/** Presses Tab until something with that name has the focus. */
	async function tabTo(name: string) {
		for (let presses = 0; presses < 80; presses++) {
			await page.keyboard.press('Tab');
			const focused = page.locator(':focus');
			const text = await focused.evaluate(
				(element) =>
					element.getAttribute('aria-label') ??
					(element as unknown as { labels?: { textContent: string }[] }).labels?.[0]?.textContent ??
					element.textContent,
			);
			if (text?.trim().startsWith(name)) return focused;
		}
		throw new Error(`Tab never reached "${name}".`);
	}

	tab.it('a key is created, shown once, used, and revoked', async () => {
		await tabTo('Name');
		await page.keyboard.type('My key');
		await tabTo('sentiment');
		await page.keyboard.press('Space');
		await tabTo('Create key');
		await page.keyboard.press('Enter');
		const shown = page.locator('#new-key-value');
		await shown.waitFor({ state: 'visible' });
		const key = (await shown.textContent()) ?? '';
		expect(key).toMatch(/^eak_test_\w{32}$/);
		const { keys } = await emulator.api('GET', '/keys');
		expect(keys[0]).toMatchObject({ name: 'My key', environment: 'sandbox' });
		expect(keys[0].scopes).toContain('intent');
		expect(keys[0].scopes).not.toContain('sentiment');

		await sendJson(emulator, key, 'intent', { text: 'Hello' });
		await sendJson(emulator, key, 'sentiment', { text: 'Hello' });
		const rows = page.locator('#usage-rows tr');
		await rows.nth(1).waitFor({ timeout: 2000 });
		expect(await rows.nth(1).innerText()).toMatch(
			/intent\s+Sandbox: test data\s+1\s+Accepted, 200/,
		);
		expect(await rows.nth(0).innerText()).toMatch(
			/sentiment\s+Sandbox: test data\s+0\s+Refused, 403/,
		);
		await page.getByText('9,999').waitFor();
		await page.locator('[role=status]', { hasText: '2 new calls, 1 credits' }).waitFor();

		await tabTo('Done');
		await page.keyboard.press('Enter');
		expect(await page.content()).not.toContain(key);

		await page.keyboard.press('Shift+Tab');
		await expect(page.locator(':focus').textContent()).resolves.toBe('Revoke');
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor();
		await page.keyboard.press('Escape');
		expect((await emulator.api('GET', '/keys')).keys[0].revokedAt).toBeNull();
		await page.keyboard.press('Enter');
		await tabTo('Revoke key');
		await page.keyboard.press('Enter');
		await page.getByRole('cell', { name: 'Revoked' }).waitFor();
		expect((await emulator.api('GET', '/keys')).keys[0].revokedAt).not.toBeNull();
	});

	tab.it('a wallet is topped up, a setting changed, and both are reported', async () => {
		await page.reload();
		await page.getByText('Connected').waitFor();
		await tabTo('Credits to add to the live wallet');
		await page.keyboard.type('500');
		await page.keyboard.press('Enter');
		await page.getByText('The live wallet now has 10,500 credits.').waitFor();
		expect((await emulator.api('GET', '/wallets')).live.balance).toBe(10_500);
		await tabTo('Unknown voices');
		await page.keyboard.press('ArrowDown');
		await page.getByText('Saved: Unknown voices.').waitFor();
		expect((await emulator.api('GET', '/settings')).unknownVoice).toBe('accept');
		await emulator.api('PUT', '/settings', { latencyMs: 5 });
		await page.waitForFunction('document.getElementById("setting-latencyMs").value === "5"');
	});
});
