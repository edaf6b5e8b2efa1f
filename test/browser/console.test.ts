/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { readFileSync } from 'node:fs';
import { startEmulator, type RunningEmulator } from '../support/emulator';
import { makesPictures, useTab } from './stage';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

describe("the emulator's console is accessible", () => {
	const tab = useTab({ signedIn: false });
	let emulator: RunningEmulator;

	beforeAll(async () => {
		emulator = await startEmulator();
		await tab.page.goto(emulator.consoleUrl);
		await tab.page.getByText('Connected').waitFor();
	});
	afterAll(async () => await emulator?.stop());

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
			await fetch(`${emulator.baseUrl}/ai/${operation}`, {
				method: 'POST',
				headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
				body: JSON.stringify({ text: 'Please call me back.' }),
			});
		}
		await tab.page.getByRole('cell', { name: 'sentiment' }).waitFor();
		expect(await faults()).toEqual([]);

		await tab.page.getByRole('button', { name: 'Done' }).click();
		await tab.page.getByRole('button', { name: 'Revoke' }).first().click();
		await tab.page.getByRole('dialog').waitFor();
		expect(await faults()).toEqual([]);
		await tab.page.keyboard.press('Escape');
		if (makesPictures) {
			// The calls have been announced, together or one by one.
			await tab.page.locator('#message:empty').waitFor({ state: 'attached' });
			await tab.page.mouse.wheel(0, -5_000);
			await tab.picture('console', tab.page.locator('body'));
		}
	});

	tab.it('in a dark and narrow window', async () => {
		await tab.page.emulateMedia({ colorScheme: 'dark' });
		await tab.page.setViewportSize({ width: 360, height: 700 });
		expect(await faults()).toEqual([]);
	});
});
