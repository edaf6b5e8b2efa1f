// Fills in n8n's web forms over HTTP, step by step as the page's own script does in a browser.
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What a person sees and gets at the end of a form.
 * @typedef {object} Ending
 * @property {string} executionId
 * @property {string} title heading of the last page
 * @property {string} message text of the last page
 * @property {{fileName: string, type: string, bytes: Buffer}[]} downloads files that the page offers
 */

/**
 * Opens a form, fills it in, submits it and follows it to its ending page.
 * @param {string} url the form's address
 * @param {Record<string, string | string[] | File>} values by the label of the field; several for checkboxes
 * @param {number} [timeoutMs] milliseconds until the ending page must be there
 * @param {Record<string, string>[]} [further] the values of each further page that asks something
 * @returns {Promise<Ending>}
 * @throws when the form is not there, has no such field, or the workflow behind it fails
 */
export async function submitForm(url, values, timeoutMs = 60_000, further = []) {
	const page = await fetch(url);
	if (!page.ok) throw new Error(`The form ${url} answered ${page.status}`);
	const body = fill(fieldNames(await page.text()), values);
	const answer = await fetch(url, { method: 'POST', body });
	const text = await answer.text();
	if (!answer.ok) throw new Error(`The form answered ${answer.status}: ${text.slice(0, 300)}`);
	const { formWaitingUrl } = JSON.parse(text);
	const deadline = Date.now() + timeoutMs;
	for (const more of further) await submitPage(formWaitingUrl, more, deadline);
	const ending = await endingPage(formWaitingUrl, deadline);
	return { executionId: new URL(formWaitingUrl).pathname.split('/').at(-1) ?? '', ...ending };
}

/**
 * @param {string} waitingUrl
 * @param {Record<string, string>} values
 * @param {number} deadline
 */
async function submitPage(waitingUrl, values, deadline) {
	await waitForStatus(waitingUrl, ['form-waiting'], deadline);
	const page = await (await fetch(waitingUrl)).text();
	const answer = await fetch(waitingUrl, { method: 'POST', body: fill(fieldNames(page), values) });
	if (!answer.ok) throw new Error(`The form's next page answered ${answer.status}`);
}

/**
 * @param {string} html
 * @returns {Map<string, string>} the name under which each field is sent, by its label
 */
function fieldNames(html) {
	const labels =
		/<label class='form-label[^']*'(?: for='([^']+)')?>([^<]*)<\/label>([^]*?id='([^']+)')/g;
	const names = new Map();
	for (const [, named, label = '', , next] of html.matchAll(labels)) {
		names.set(plain(label).trim(), named ?? next);
	}
	return names;
}

/**
 * @param {Map<string, string>} names
 * @param {Record<string, string | string[] | File>} values
 */
function fill(names, values) {
	const body = new FormData();
	for (const [label, value] of Object.entries(values)) {
		const name = names.get(label);
		if (!name) throw new Error(`The form has no "${label}", only ${[...names.keys()].join(', ')}`);
		if (value instanceof File) body.append(name, value, value.name);
		else body.append(name, typeof value === 'string' ? value : JSON.stringify(value));
	}
	return body;
}

/**
 * @param {string} waitingUrl
 * @param {number} deadline
 */
async function endingPage(waitingUrl, deadline) {
	await waitForStatus(waitingUrl, ['form-waiting'], deadline);
	const html = await (await fetch(waitingUrl)).text();
	// The page itself tells n8n that it has been shown, and only then the workflow goes on and ends.
	await fetch(waitingUrl, { method: 'POST' });
	await waitForStatus(waitingUrl, ['success', 'null'], deadline);
	const [, title = ''] = /<h1>([^]*?)<\/h1>/.exec(html) ?? [];
	// Older n8n writes them in another way.
	const [, message = ''] =
		/<\/h1>\s*<p(?: style="white-space: pre-line;")?>([^]*?)<\/p>/.exec(html) ?? [];
	const [, files = ''] = /const binar(?:ies|y) = "([^"]*)"/.exec(html) ?? [];
	return { title: plain(title), message: plain(message), downloads: readDownloads(files) };
}

/**
 * @param {string} files what the page's script turns into downloads; empty if it offers none
 * @returns {Ending['downloads']}
 */
function readDownloads(files) {
	/** @type {{fileName: string, type: string, data: string | {data: number[]}}[]} */
	const downloads = files ? [JSON.parse(decodeURIComponent(files))].flat().filter(Boolean) : [];
	return downloads.map(({ fileName, type, data }) => ({
		fileName,
		type,
		bytes: typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data.data),
	}));
}

/**
 * @param {string} waitingUrl
 * @param {string[]} wanted
 * @param {number} deadline
 */
async function waitForStatus(waitingUrl, wanted, deadline) {
	const url = new URL(waitingUrl);
	url.pathname += '/n8n-execution-status';
	for (;;) {
		const status = (await (await fetch(url)).text()).trim();
		if (wanted.includes(status)) return;
		if (['error', 'crashed', 'canceled'].includes(status)) {
			throw new Error(`The workflow behind the form ended with "${status}"`);
		}
		if (Date.now() > deadline) throw new Error(`The form is still "${status}"`);
		await sleep(200);
	}
}

/**
 * @param {string} html a text of a page
 * @returns {string} the same without tags and with its characters unescaped
 */
function plain(html) {
	/** @type {Record<string, string>} */
	const characters = {
		lt: '<',
		gt: '>',
		quot: '"',
		amp: '&',
		'#x27': "'",
		'#39': "'",
		'#x60': '`',
		'#x3D': '=',
	};
	return html
		.replace(/<[^>]*>/g, '')
		.replace(/&(#?\w+);/g, (whole, name) => characters[name] ?? whole);
}
