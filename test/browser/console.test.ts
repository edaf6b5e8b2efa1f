/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { sendJson } from '../emulator/client';
import { ALL_SCOPES, startEmulator, type RunningEmulator } from '../support/emulator';
import { makesPictures } from './stage';
import { useTab } from './tab';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

describe("the emulator's console", () => {
	const tab = useTab({ signedIn: false });
	const logged: string[] = [];
	let emulator: RunningEmulator;
	let page: Page;

	beforeAll(async () => {
		emulator = await startEmulator();
		({ page } = tab);
		page.on('pageerror', (error) => logged.push(error.message));
		page.on('console', (message) => {
			// The page's own policy refuses the style with which Playwright takes a picture.
			const isOfPicture = makesPictures && message.text().startsWith('Applying inline style');
			if (!isOfPicture) logged.push(message.text());
		});
		await page.setViewportSize({ width: 1200, height: 900 });
		await page.goto(emulator.consoleUrl);
		await page.getByText('Connected').waitFor();
	});
	afterAll(async () => {
		await emulator?.stop();
		expect(logged).toEqual([]);
	});

	/** Fails with what axe objects to, as "rule: element". */
	async function expectAccessible() {
		await page.evaluate(AXE);
		const faults = await page.evaluate(
			`axe.run().then(({ violations, passes }) => {
				if (passes.length < 10) throw new Error('axe found nothing to check');
				return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html));
			})`,
		);
		expect(faults).toEqual([]);
	}

	const press = async (name: string) => await page.getByRole('button', { name }).click();

	tab.it('a key is created, shown once, used, and revoked', async () => {
		await expectAccessible();
		await page.getByLabel('Name (optional)').fill('My key');
		await page.getByLabel('sentiment', { exact: true }).uncheck();
		await press('Create key');
		const shown = page.locator('#new-key-value');
		await shown.waitFor({ state: 'visible' });
		const key = (await shown.textContent()) ?? '';
		expect(key).toMatch(/^eak_test_\w{32}$/);
		const listed = async () => (await emulator.api('GET', '/keys')).keys[0];
		const scopes = ALL_SCOPES.filter((scope) => scope !== 'sentiment');
		const created = { name: 'My key', environment: 'sandbox', scopes, revokedAt: null };
		expect(await listed()).toMatchObject(created);

		await sendJson(emulator, key, 'intent', { text: 'Hello' });
		await sendJson(emulator, key, 'sentiment', { text: 'Hello' });
		const rows = page.locator('#usage-rows tr');
		await rows.nth(1).waitFor({ timeout: 2000 });
		expect(await rows.allInnerTexts()).toEqual([
			expect.stringMatching(/sentiment\s+Sandbox: test data\s+0\s+Refused, 403/),
			expect.stringMatching(/intent\s+Sandbox: test data\s+1\s+Accepted, 200/),
		]);
		await page.getByText('9,999').waitFor();
		await expectAccessible();

		await press('Done');
		expect(await page.content()).not.toContain(key);
		await tab.picture('console', async () => {
			// The calls have been announced, together or one by one.
			await page.locator('#message:empty').waitFor({ state: 'attached' });
			await page.setViewportSize({ width: 1_160, height: 2_400 });
			return await tab.capture([page.locator('#keys')], { margin: 8 });
		});

		await press('Revoke');
		await page.getByRole('dialog').waitFor();
		await expectAccessible();
		await press('Revoke key');
		await page.getByRole('cell', { name: 'Revoked' }).waitFor();
		expect((await listed()).revokedAt).not.toBeNull();
	});

	tab.it('a wallet is topped up, a setting changed, and both are reported', async () => {
		await page.reload();
		await page.getByText('Connected').waitFor();
		await page.getByLabel('Credits to add to the live wallet').fill('500');
		await page.keyboard.press('Enter');
		await page.getByText('The live wallet now has 10,500 credits.').waitFor();
		expect((await emulator.api('GET', '/wallets')).live.balance).toBe(10_500);
		await page.getByLabel('Unknown voices').selectOption('accept');
		await page.getByText('Saved: Unknown voices.').waitFor();
		expect((await emulator.api('GET', '/settings')).unknownVoice).toBe('accept');
		await emulator.api('PUT', '/settings', { latencyMs: 5 });
		await page.waitForFunction('document.getElementById("setting-latencyMs").value === "5"');
	});

	tab.it('is accessible in a dark and narrow window too, and not wider than that', async () => {
		await page.emulateMedia({ colorScheme: 'dark' });
		await page.setViewportSize({ width: 360, height: 700 });
		await expectAccessible();
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
	});
});
