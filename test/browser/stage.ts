/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/require-node-api-error -- tests run on a developer's machine, never in n8n */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import type { Demo } from '../full/tools';

/** What start-n8n.cjs has started. */
interface Stage {
	chromium: string;
	url: string;
	login: { email: string; password: string };
	service: Demo['service'];
	/** The examples that are published, by their files' names. */
	workflows: Record<string, { id: string }>;
}

export const stage = JSON.parse(process.env.VOICE_SPEECH_STAGE ?? '{}') as Stage;

const ROOT = path.resolve(__dirname, '../..');
const PICTURES = path.join(ROOT, 'docs', 'images');
const FAILURES = path.join(ROOT, 'reports', 'browser');
const LARGEST_PICTURE = 150_000;

/** Whether to take the pictures of the documents again. */
export const makesPictures = process.env.SCREENSHOTS === '1';

/** A text as the part of a regular expression that matches it. */
const plain = (text: string) => text.replace(/[()]/g, '\\$&');

/** A tab of a real browser. */
export class Tab {
	page!: Page;

	private browser!: Browser;

	async open(): Promise<void> {
		this.browser = await chromium.launch({
			executablePath: stage.chromium,
			args: [
				...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
				...['--disable-background-networking', '--disable-component-update'],
				'--autoplay-policy=no-user-gesture-required',
			],
		});
		const context = await this.browser.newContext({
			viewport: { width: 1400, height: 960 },
			colorScheme: 'light',
			locale: 'en-US',
		});
		context.setDefaultTimeout(15_000);
		this.page = await context.newPage();
	}

	async close(): Promise<void> {
		await this.browser?.close();
	}

	async signIn(): Promise<void> {
		await this.page.goto(`${stage.url}/signin`);
		await this.page.getByLabel('Email').fill(stage.login.email);
		await this.page.getByLabel('Password').fill(stage.login.password);
		await this.page.getByRole('button', { name: 'Sign in' }).click();
		await this.page.getByRole('button', { name: 'Create workflow' }).waitFor();
	}

	/** The dialog in front: a credential's, or a node's panel. */
	get dialog(): Locator {
		return this.page.getByRole('dialog').filter({ visible: true }).last();
	}

	/** A field of the dialog with its label. n8n does not link the two: the label precedes the field. */
	field(label: string): Locator {
		// The switch between a fixed value and an expression is next to the label.
		const text = new RegExp(`^\\s*${plain(label)}\\s*\\*?\\s*(FixedExpression)?\\s*$`);
		return this.dialog
			.locator('label', { hasText: text })
			.locator('xpath=ancestor::*[.//*[@data-test-id="parameter-input"]][1]');
	}

	/** What one types into, or the line of a menu that shows its choice. */
	input(label: string): Locator {
		return this.field(label).locator('input, textarea').first();
	}

	/** Puts a text into a field in one go, as pasting does. */
	async paste(label: string, text: string): Promise<void> {
		await this.input(label).click();
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.insertText(text);
	}

	/** @param option how the entry of the menu begins: its description follows */
	async choose(label: string, option: string): Promise<void> {
		await this.field(label).getByRole('combobox').click();
		await this.page.getByRole('option', { name: new RegExp(`^${plain(option)}`) }).click();
	}

	/** Chooses the credential that the demo has made, in the panel of a node. */
	async chooseCredential(): Promise<void> {
		await this.dialog.getByRole('combobox', { name: 'Select Credential' }).click();
		await this.page.getByRole('option', { name: 'Voice and Speech (emulator)' }).click();
	}

	/**
	 * Makes a picture for the documents, if the tests run with SCREENSHOTS=1.
	 * @param what the part of the page that it shows
	 * @param margin pixels around it
	 * @param above what of it is left out: pixels from its top
	 */
	async picture(name: string, what: Locator = this.dialog, margin = 0, above = 0): Promise<void> {
		if (!makesPictures) return;
		// n8n's messages in the corner would cover a part of it.
		const messages = this.page.locator('.el-notification__closeBtn');
		await messages.evaluateAll((buttons) =>
			buttons.forEach((button) => (button as unknown as { click(): void }).click()),
		);
		await eventually(async () => await messages.count(), 0);
		const box = (await what.boundingBox())!;
		const bytes = await this.page.screenshot({
			animations: 'disabled',
			caret: 'hide',
			clip: {
				x: box.x - margin,
				y: box.y - margin + above,
				width: box.width + 2 * margin,
				height: box.height + 2 * margin - above,
			},
		});
		expect(bytes.length).toBeLessThan(LARGEST_PICTURE);
		await writeFile(path.join(PICTURES, `${name}.png`), bytes);
	}

	/** Like `it`; where the test fails, what the browser showed is kept in reports/browser. */
	readonly it = (name: string, test: () => Promise<void>): void => {
		it(name, async () => {
			try {
				await test();
			} catch (error) {
				mkdirSync(FAILURES, { recursive: true });
				const file = path.join(FAILURES, `${name.replace(/\W+/g, '-')}.png`);
				await this.page?.screenshot({ path: file }).catch(() => undefined);
				throw error;
			}
		});
	};
}

/** Opens a tab before the tests of a file, and closes it after them. */
export function useTab({ signedIn = true } = {}): Tab {
	const tab = new Tab();
	beforeAll(async () => {
		await tab.open();
		if (signedIn) await tab.signIn();
	});
	afterAll(async () => await tab.close());
	return tab;
}

/** Reads again and again until the page has come to what is expected; fails with the last that was read. */
export async function eventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
	const deadline = Date.now() + 10_000;
	for (;;) {
		const value = await read();
		try {
			expect(value).toEqual(expected);
			return;
		} catch (error) {
			if (Date.now() > deadline) throw error;
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
