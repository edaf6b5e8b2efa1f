import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
	chromium,
	type Browser,
	type BrowserContext,
	type Locator,
	type Page,
} from 'playwright-core';

import { root } from '../../dev/lib/root.cjs';
import { capture, pixelRatio, type CaptureOptions } from './pictures.mts';
import { makesPictures, demo } from './runningDemo.mts';

const pictures = path.join(root, 'docs', 'images');
const failures = path.join(root, 'reports', 'browser');

/** A text as the part of a regular expression that matches it. */
const escapePattern = (text: string) => text.replace(/[()]/g, '\\$&');

/** Pictures of workflows have few colors. */
const paletteFilter =
	'split[a][b];[a]palettegen=max_colors=64:stats_mode=full[p];[b][p]paletteuse=dither=none';

const shrinkingArgs = `-loglevel error -f png_pipe -i - -vf ${paletteFilter} -frames:v 1 -compression_level 100 -pred none -f image2pipe -c:v png -`;

/**
 * A picture in a fifth of the bytes.
 *
 * @throws where this machine has no ffmpeg
 */
const shrink = (png: Buffer): Buffer =>
	execFileSync('ffmpeg', shrinkingArgs.split(' '), { input: png, maxBuffer: 10_000_000 });

/** The cookies and the storage of a browser profile. */
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

const switches = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--no-first-run',
	'--disable-sync',
	'--disable-background-networking',
	'--disable-component-update',
	'--autoplay-policy=no-user-gesture-required',
];

const contextOptions = {
	viewport: { width: 1400, height: 960 },
	deviceScaleFactor: makesPictures ? pixelRatio : 1,
	colorScheme: 'light',
	locale: 'en-US',
} as const;

/** A tab of a real browser. */
export class Tab {
	page!: Page;

	/**
	 * Starts the browser with a profile that all test files share, one after the other, because n8n's editor takes many
	 * seconds to load without what the browser has cached. Signs in there.
	 *
	 * @returns what the profile has stored then
	 */
	async launchSignedIn(): Promise<StorageState> {
		const options = { executablePath: demo.chromium, args: switches, ...contextOptions };
		const context = await chromium.launchPersistentContext(demo.profile, options);
		await this.open(context);
		const { email, password } = demo.login;
		const data = { emailOrLdapLoginId: email, password };
		const response = await context.request.post(`${demo.url}/rest/login`, { data });
		expect(response.status()).toBe(200);
		return await context.storageState();
	}

	/** Opens an empty tab. */
	async open(context: BrowserContext): Promise<void> {
		// Where other suites use the processor, n8n's editor takes a minute to load.
		context.setDefaultTimeout(120_000);
		this.page = await context.newPage();
		// n8n opens it by itself when a published workflow has run, in front of the canvas.
		const checklist = this.page.getByText('Production Checklist');
		await this.page.addLocatorHandler(checklist, async () => {
			await this.page.keyboard.press('Escape');
		});
	}

	/**
	 * Replaces the tab by an empty one, and what the profile has stored. Only the browser's cache stays.
	 *
	 * @param state cookies and storage of the profile
	 */
	async reset(state: StorageState): Promise<void> {
		const context = this.page.context();
		const before = context.pages();
		// The browser would end with its last tab.
		await this.open(context);
		for (const page of before) await page.close();
		await context.setStorageState(state);
	}

	/** A part of n8n's editor, by its name in n8n's own tests. */
	part(name: string): Locator {
		return this.page.locator(`[data-test-id="${name}"]`);
	}

	async openNewWorkflow(): Promise<void> {
		const id = randomBytes(8).toString('hex');
		await this.page.goto(`${demo.url}/workflow/${id}?new=true`);
		// n8n shows one of these only in an empty workflow.
		const beginning = this.part('canvas-choice-prompt').or(this.part('canvas-plus-button'));
		await beginning.first().waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${demo.url}/workflow/${id}`);
		// The inputs and outputs of nodes have the ID of their workflow.
		await this.page.locator(`[data-id^="${id}-"]`).first().waitFor({ state: 'attached' });
	}

	async searchNodes(words: string): Promise<void> {
		await this.page.getByRole('button', { name: 'Open nodes panel' }).click();
		await this.page.getByPlaceholder('Search nodes...').fill(words);
	}

	/** Chooses an action in n8n's list of our node's actions, and the credential that the demo has made. */
	async chooseAction(action: string): Promise<void> {
		await this.part('node-creator').getByText(action, { exact: true }).click();
		await this.dialog.getByRole('combobox', { name: 'Select Credential' }).click();
		await this.page.getByRole('option', { name: demo.credential.name }).click();
	}

	/** The dialog in front: a credential's, or a node's panel. */
	get dialog(): Locator {
		return this.page.getByRole('dialog').filter({ visible: true }).last();
	}

	/** Closes the panel of a node. */
	async closePanel(): Promise<void> {
		// This leaves the menu that was used last, because Escape would close only that menu.
		await this.dialog.getByRole('tab', { name: 'Parameters' }).click();
		await this.page.keyboard.press('Escape');
		await this.dialog.waitFor({ state: 'hidden' });
	}

	/** A field of the dialog with its label. n8n does not link the two, but the label precedes the field. */
	field(label: string): Locator {
		// The switch between a fixed value and an expression is next to the label.
		const text = new RegExp(`^\\s*${escapePattern(label)}\\s*\\*?\\s*(FixedExpression)?\\s*$`);
		return this.dialog
			.locator('label', { hasText: text })
			.locator('xpath=ancestor::*[.//*[@data-test-id="parameter-input"]][1]');
	}

	/** The input of a field, or the line of a menu that shows its choice. */
	input(label: string): Locator {
		return this.field(label).locator('input, textarea').first();
	}

	/** Puts a text into a field in one go, as pasting does. */
	async paste(label: string, text: string): Promise<void> {
		await this.input(label).click();
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.insertText(text);
	}

	/** @param option how the entry of the menu begins, because its description follows */
	async choose(label: string, option: string): Promise<void> {
		await this.field(label).getByRole('combobox').click();
		await this.page.getByRole('option', { name: new RegExp(`^${escapePattern(option)}`) }).click();
	}

	/** Takes a picture of the smallest part of the page that has all of these elements. */
	async capture(parts: Locator[], options?: CaptureOptions): Promise<Buffer> {
		return await capture(this.page, parts, options);
	}

	/**
	 * Makes a picture for the documents, if the tests run with SCREENSHOTS=1.
	 *
	 * @param take gives it as PNG
	 */
	async takePicture(name: string, take: () => Promise<Buffer>): Promise<void> {
		if (!makesPictures) return;
		await writeFile(path.join(pictures, `${name}.png`), shrink(await take()));
	}

	/** Like `it`; where the test fails, what the browser showed is kept in reports/browser. */
	readonly it = (name: string, test: () => Promise<void>): void => {
		it(name, async () => {
			try {
				await test();
			} catch (error) {
				await mkdir(failures, { recursive: true });
				const file = path.join(failures, `${name.replace(/\W+/g, '-')}.png`);
				await this.page?.screenshot({ path: file }).catch(() => undefined);
				throw error;
			}
		});
	};
}

/** Gives each test of a file a tab of its own, so that nothing that a test leaves in it reaches another one. */
export function useTab(): Tab {
	const tab = new Tab();
	let state: StorageState;
	beforeAll(async () => {
		state = await tab.launchSignedIn();
	});
	beforeEach(async () => await tab.reset(state));
	afterAll(async () => await tab.page?.context().close());
	return tab;
}

/**
 * Gives each test of a file a tab in a browser profile of its own, which has no cookies.
 *
 * @param args further switches of Chromium
 */
export function useAnonymousTab(args: string[] = []): Tab {
	const tab = new Tab();
	let browser: Browser;
	beforeAll(async () => {
		browser = await chromium.launch({
			executablePath: demo.chromium,
			args: [...switches, ...args],
		});
	});
	beforeEach(async () => await tab.open(await browser.newContext(contextOptions)));
	afterEach(async () => await tab.page.context().close());
	afterAll(async () => await browser?.close());
	return tab;
}
