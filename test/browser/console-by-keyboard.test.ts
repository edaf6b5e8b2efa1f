import type { Page } from 'playwright-core';
import { sendJson } from '../emulator/client';
import { startEmulator, type RunningEmulator } from '../support/emulator';
import { useTab } from './stage';

describe('the console of the emulator, by keyboard alone', () => {
	const tab = useTab({ signedIn: false });
	let emulator: RunningEmulator;
	let page: Page;
	const complaints: string[] = [];

	beforeAll(async () => {
		emulator = await startEmulator();
		({ page } = tab);
		await page.setViewportSize({ width: 1200, height: 900 });
		page.on('pageerror', (error) => complaints.push(error.message));
		page.on('console', (message) => complaints.push(message.text()));
		await page.goto(emulator.consoleUrl);
		await page.getByText('Connected').waitFor();
	});
	afterAll(async () => {
		await emulator?.stop();
		expect(complaints).toEqual([]);
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

	tab.it('a wallet is topped up, a setting changed, and both are told', async () => {
		await page.reload();
		await page.getByText('Connected').waitFor();
		await tabTo('Credits to add to the live wallet');
		await page.keyboard.type('500');
		await page.keyboard.press('Enter');
		await page.getByText('The live wallet now has 10,500 credits.').waitFor();
		expect((await emulator.api('GET', '/wallets')).live.balance).toBe(10_500);
		await tabTo('Status of a successful clone');
		await page.keyboard.press('ArrowDown');
		await page.getByText('Saved: Status of a successful clone.').waitFor();
		expect((await emulator.api('GET', '/settings')).cloneStatus).toBe(201);
		await emulator.api('PUT', '/settings', { latencyMs: 5 });
		await page.waitForFunction('document.getElementById("setting-latencyMs").value === "5"');
	});

	tab.it('a wallet is emptied, and mistakes are explained in the words of the page', async () => {
		complaints.length = 0;
		const problem = page.getByRole('alert');
		await page.reload();
		await page.getByText('Connected').waitFor();
		await tabTo('Credits to add to the sandbox wallet');
		await tabTo('Empty wallet');
		await page.keyboard.press('Enter');
		await page.getByText('The sandbox wallet now has 0 credits.').waitFor();
		expect((await emulator.api('GET', '/wallets')).sandbox.balance).toBe(0);

		await tabTo('Select none');
		await page.keyboard.press('Enter');
		await tabTo('Create key');
		await page.keyboard.press('Enter');
		await problem.getByText('Select at least one scope').waitFor();
		await tabTo('Select all');
		await page.keyboard.press('Enter');
		await tabTo('Create key');
		await page.keyboard.press('Enter');
		await page.getByText('Your new key').waitFor();
		const { keys } = await emulator.api('GET', '/keys');
		await emulator.api('DELETE', `/keys/${keys.at(-1).id}`);
		await page.getByText('Your new key').waitFor({ state: 'hidden' });

		await tabTo('Delay of responses (ms)');
		await page.keyboard.type('-5');
		await page.keyboard.press('Tab');
		await problem.getByText('"Delay of responses (ms)" must be >= 0.').waitFor();
		// The browser itself reports the response 400.
		expect(complaints).toEqual([expect.stringContaining('400')]);
		complaints.length = 0;
	});

	tab.it('a long path stays in its column', async () => {
		const key = await emulator.createKey('sandbox');
		await sendJson(emulator, key, 'x/'.repeat(100), {});
		const path = page.locator('#usage-rows tr').first().getByRole('rowheader');
		await path.getByText('/ai/x/x').waitFor();
		expect((await path.boundingBox())!.width).toBeLessThan(300);
	});

	tab.it('every control has a label, and nothing is wider than a narrow screen', async () => {
		const unnamed = await page
			.locator('input, select, button')
			.evaluateAll(
				(elements) =>
					elements.filter(
						(element) =>
							!(element as unknown as { labels?: unknown[] }).labels?.length &&
							!element.textContent?.trim(),
					).length,
			);
		expect(unnamed).toBe(0);
		await page.setViewportSize({ width: 360, height: 700 });
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
	});
});
