import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { startEmulatorProcess, type EmulatorProcess } from '../../dev/emulator/emulatorProcess.mts';
import { expectEventually, demo } from './runningDemo.mts';
import { useTab } from './tab.mts';

/** test/credentials/keyNotices has all of them. */
const expectedNotices = {
	sandbox: 'Sandbox key: its calls debit the sandbox wallet, and are flagged as test data',
	live: 'Live key: its calls spend live credits',
	liveInSandbox:
		"Live key: it spends live credits. To test, paste a key that starts with eak_test_. To spend live credits, set 'Environment' to Live.",
	unknown: 'Wrong key: keys of this service start with eak_test_ or eak_live_',
};

describe("the credential's dialog", () => {
	const tab = useTab();
	let emulator: EmulatorProcess;
	let sandboxKey: string;
	let liveKey: string;

	beforeAll(async () => {
		emulator = await startEmulatorProcess();
		sandboxKey = await emulator.createKey('sandbox');
		liveKey = await emulator.createKey('live');
	});
	afterAll(async () => await emulator?.stop());

	async function create() {
		await tab.page.goto(`${demo.url}/home/credentials`);
		await tab.page.getByRole('button', { name: 'Create credential' }).click();
		await tab.dialog.getByPlaceholder('Search for app...').fill('voice');
		await tab.page.getByRole('option', { name: 'Voice and Speech API' }).click();
		await tab.dialog.getByRole('button', { name: 'Continue' }).click();
		await tab.dialog.getByText('Base URL').waitFor();
	}

	async function reopen(name: string) {
		await tab.page.goto(`${demo.url}/home/credentials`);
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

	/**
	 * Waits until the test has failed, and for what it says under 'More details'. The result of an earlier test can still be
	 * shown at first, and the new one is folded again.
	 */
	async function waitForFailure(sentence: string) {
		await tab.dialog.getByText('Couldn’t connect with these settings').waitFor();
		const details = tab.dialog.getByText('More details');
		const text = tab.dialog.getByText(sentence);
		await expectEventually(async () => {
			if (await details.isVisible()) await details.click();
			return await text.isVisible();
		}, true);
	}

	tab.it(
		'says of a key what it is, once its prefix is complete, and of settings why they cannot work',
		async () => {
			await create();
			expect(await readNotices()).toEqual([]);
			const pasted: Array<{ key: string; notices: string[] }> = [
				{ key: 'eak_test_1', notices: [expectedNotices.sandbox] },
				{ key: 'sk-1', notices: [expectedNotices.unknown] },
				// The beginning of a prefix is not wrong yet.
				{ key: 'eak_tes', notices: [] },
			];
			for (const { key, notices } of pasted) {
				await tab.paste('API Key', key);
				await expectEventually(readNotices, notices);
			}
			await tab.paste('API Key', 'eak_live_1');
			await expectEventually(readNotices, [expectedNotices.liveInSandbox]);
			await tab.takePicture('credential-mismatch', () => captureUntil('Environment'));
			await tab.choose('Environment', 'Live');
			await expectEventually(readNotices, [expectedNotices.live]);
			await tab.choose('Environment', 'Sandbox');
			await expectAdvice();
		},
	);

	tab.it('saves, tests and reopens a credential', async () => {
		await create();
		await tab.paste('API Key', sandboxKey);
		await tab.paste('Base URL', emulator.baseUrl.replace('127.0.0.1', 'localhost'));
		await save();
		await waitForSuccess();
		await tab.takePicture('credential', async () => {
			// The button is empty for a moment while n8n saves.
			await tab.part('credential-save-button').getByText('Save', { exact: true }).waitFor();
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

		await tab.paste('API Key', liveKey);
		await tab.choose('Environment', 'Live');
		await save();
		await tab.page.getByText('Credential saved').waitFor();
		await reopen(name);
		await waitForSuccess();
		expect(await tab.input('Environment').inputValue()).toBe('Live');
		expect(await readNotices()).toEqual([expectedNotices.live]);
	});

	/** Expects advice about settings that cannot work. */
	async function expectAdvice() {
		const advices = {
			[liveKey]: "its key is a live key (eak_live_...). Set 'Environment' to 'Live'",
			eak_test_mistyped: 'The service does not accept this key. It may be mistyped',
		};
		await tab.paste('Base URL', emulator.baseUrl);
		for (const [key, sentence] of Object.entries(advices)) {
			await tab.paste('API Key', key);
			await save();
			await waitForFailure(sentence);
		}
		await tab.takePicture('credential-refused', () => captureUntil('API Key'));
	}
});
