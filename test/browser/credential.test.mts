import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { useEmulator } from '../support/emulatorClient.mts';
import { expectEventually, demo } from './runningDemo.mts';
import { useTab } from './tab.mts';

/** test/credentials/keyNotices has all of them. */
const expectedNotices = {
	sandbox: 'Sandbox key: its calls debit the sandbox wallet, and are flagged as test data',
	live: 'Live key: its calls spend live credits',
	liveInSandbox:
		"Live key: it spends live credits. To test, paste a key that starts with eak_test_. To spend live credits, set 'Environment' to Live.",
};

describe("the credential's dialog", () => {
	const tab = useTab();
	const client = useEmulator();

	async function create() {
		await tab.page.goto(`${demo.url}/home/credentials`);
		await tab.page.getByRole('button', { name: 'Create credential' }).click();
		await tab.dialog.getByPlaceholder('Search for app...').fill('voice');
		await tab.page.getByRole('option', { name: 'Voice and Speech API' }).click();
		await tab.dialog.getByRole('button', { name: 'Continue' }).click();
		await tab.dialog.getByText('Base URL').waitFor();
	}

	/** n8n reads the credential from its server again. Loading its whole page as well would take many seconds. */
	async function reopen(name: string) {
		await tab.page.keyboard.press('Escape');
		await tab.dialog.waitFor({ state: 'hidden' });
		await tab.page.getByText(name, { exact: true }).click();
		await tab.dialog.getByText('Base URL').waitFor();
	}

	/** The dialog from its top to a field. */
	const captureUntil = async (last: string) =>
		await tab.capture([tab.dialog.locator('.el-dialog')], {
			until: tab.field(last),
			// The page behind the dialog is dark at its round corners.
			style: '.el-dialog { border-radius: 0 !important }',
		});
	const readNotices = async () => await tab.dialog.getByRole('alert').allInnerTexts();
	const save = async () => await tab.dialog.getByRole('button', { name: 'Save' }).click();
	const waitForSuccess = async () =>
		await tab.dialog.getByText('Connection tested successfully').waitFor();

	// In one test, because n8n's editor takes many seconds to load.
	tab.it('explains a key, and saves, tests and reopens the credential', async () => {
		await create();
		expect(await readNotices()).toEqual([]);
		await tab.paste('API Key', 'eak_test_1');
		await expectEventually(readNotices, [expectedNotices.sandbox]);
		await tab.paste('API Key', 'eak_live_1');
		await expectEventually(readNotices, [expectedNotices.liveInSandbox]);
		await tab.takePicture('credential-mismatch', () => captureUntil('Environment'));
		await tab.choose('Environment', 'Live');
		await expectEventually(readNotices, [expectedNotices.live]);

		await tab.choose('Environment', 'Sandbox');
		await tab.paste('Base URL', client.emulator.baseUrl);
		await tab.paste('API Key', 'eak_test_mistyped');
		await save();
		await tab.dialog.getByText('Couldn’t connect with these settings').waitFor();
		await tab.dialog.getByText('More details').click();
		const sentence = 'The service does not accept this key. It may be mistyped';
		await tab.dialog.getByText(sentence).waitFor();
		await tab.takePicture('credential-refused', () => captureUntil('API Key'));

		await tab.paste('API Key', client.key);
		await tab.paste('Base URL', client.emulator.baseUrl.replace('127.0.0.1', 'localhost'));
		await save();
		await waitForSuccess();
		await tab.takePicture('credential', async () => {
			// The button is empty for a moment while n8n saves.
			await tab
				.part('credential-save-button')
				.getByText(/^Saved?$/)
				.waitFor();
			// The window is high enough for all fields. The style raises n8n's limit for the height of the dialog.
			await tab.page.setViewportSize({ width: 1_400, height: 1_300 });
			const content = '[class*="credentialModal"] { --dialog--max-height: 1000px !important }';
			await tab.page.addStyleTag({ content });
			let picture = Buffer.alloc(0);
			/** n8n may still move parts of the dialog after it has saved. */
			const isStable = async () => {
				const before = picture;
				picture = await captureUntil('Allowed HTTP Request Domains');
				return picture.equals(before);
			};
			await waitUntil(isStable, { intervalMs: 1_000 });
			return picture;
		});
		const name = await tab.dialog.locator('[data-test-id="inline-edit-preview"]').innerText();

		await reopen(name);
		await waitForSuccess();
		expect(await tab.input('Environment').inputValue()).toBe('Sandbox');
		expect(await readNotices()).toEqual([]);
		expect(await tab.input('API Key').inputValue()).not.toContain('eak_');

		await tab.paste('API Key', await client.emulator.createKey('live'));
		await tab.choose('Environment', 'Live');
		await save();
		await tab.page.getByText('Credential saved').waitFor();
		await reopen(name);
		await waitForSuccess();
		expect(await tab.input('Environment').inputValue()).toBe('Live');
		expect(await readNotices()).toEqual([expectedNotices.live]);
	});
});
