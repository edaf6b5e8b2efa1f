// Fills in n8n's web forms over HTTP, in the same steps as the script of the page.
import { load } from 'cheerio/slim';

import { UserFacingError } from '../lib/errors.mts';
import { waitUntil } from '../lib/waitUntil.mts';

/** The values of a form's fields, by their labels. Checkboxes and files can have several values. */
export type FormValues = Record<string, string | string[] | File | File[]>;

/** What a person sees and gets at the end of a form. */
export interface Ending {
	executionId: string;
	/** Heading of the last page. */
	title: string;
	/** Text of the last page. */
	message: string;
	/** The files that the last page offers, with their media types. */
	downloads: Array<{ fileName: string; type: string; bytes: Buffer }>;
}

/** A file in the last page, with its bytes in Latin-1 or as the JSON of a Buffer. */
type EmbeddedFile = { fileName: string; type: string; data: string | { data: number[] } };

/**
 * Opens a form, fills it in, submits it and follows it to its last page.
 *
 * @param url the form's address
 * @param timeoutMs longest time that n8n may take between two pages
 * @param further the values of each further page that asks something
 * @throws {UserFacingError} if the page lacks the form, a field or a choice, or if the form's workflow fails
 */
export async function submitForm(
	url: string,
	values: FormValues,
	timeoutMs: number = 60_000,
	further: Array<Record<string, string>> = [],
): Promise<Ending> {
	const response = await submitPage(url, values);
	const { formWaitingUrl } = JSON.parse(response) as { formWaitingUrl?: string };
	if (!formWaitingUrl) throw new UserFacingError('The form leads to no further page');
	for (const more of further) {
		await waitForStatus(formWaitingUrl, ['form-waiting'], timeoutMs);
		await submitPage(formWaitingUrl, more);
	}
	return await readLastPage(formWaitingUrl, timeoutMs);
}

/** @returns the body of the response */
async function submitPage(url: string, values: FormValues): Promise<string> {
	const body = fillForm(await readText(await fetch(url)), values);
	return await readText(await fetch(url, { method: 'POST', body }));
}

async function readText(response: Response): Promise<string> {
	const text = await response.text();
	if (response.ok) return text;
	throw new UserFacingError(`The form responded with ${response.status}: ${text.slice(0, 300)}`);
}

/**
 * @param $ the page
 * @returns the name under which each field is sent, by its label
 */
function readFieldNames($: ReturnType<typeof load>): Map<string, string> {
	const names = new Map<string, string>();
	for (const label of $('label.form-label').toArray()) {
		// Labels of checkboxes do not name their field, which follows them.
		const name = $(label).attr('for') ?? $(label).nextAll('[id]').attr('id') ?? '';
		names.set($(label).text().trim(), name);
	}
	return names;
}

/**
 * @param html the page of a form
 * @returns what the page would send
 * @throws {UserFacingError} if the form has no such field, or does not offer the value
 */
export function fillForm(html: string, values: FormValues): FormData {
	const $ = load(html);
	const names = readFieldNames($);
	const body = new FormData();
	for (const [label, value] of Object.entries(values)) {
		const name = names.get(label);
		if (!name) {
			throw new UserFacingError(`The form has no "${label}", only ${[...names.keys()].join(', ')}`);
		}
		const given = [value].flat();
		const options = $(`select[id="${name}"] option`).toArray();
		const offered = options.map((option) => $(option).attr('value') ?? '');
		// n8n would accept a choice that the list does not offer, but a person could not make it.
		const wrong = given.find((one) => typeof one === 'string' && !offered.includes(one));
		if (offered.length > 0 && typeof wrong === 'string') {
			const choices = offered.filter(Boolean).join(', ');
			throw new UserFacingError(`"${label}" does not offer "${wrong}", only ${choices}`);
		}
		const files = given.filter((one) => one instanceof File);
		for (const file of files) body.append(name, file, file.name);
		if (files.length === 0) {
			body.append(name, typeof value === 'string' ? value : JSON.stringify(value));
		}
	}
	return body;
}

async function readLastPage(waitingUrl: string, timeoutMs: number): Promise<Ending> {
	await waitForStatus(waitingUrl, ['form-waiting'], timeoutMs);
	const html = await readText(await fetch(waitingUrl));
	// The script of the last page sends this request. n8n ends the execution only then.
	await fetch(waitingUrl, { method: 'POST' });
	await waitForStatus(waitingUrl, ['success', 'null'], timeoutMs);
	const title = load(html)('h1').first();
	// The script of the page has the files in this variable, and offers them as downloads.
	const [, files] = /const binar(?:ies|y) = "([^"]*)"/.exec(html) ?? [];
	const embedded = JSON.parse(decodeURIComponent(files || '[]')) as EmbeddedFile | EmbeddedFile[];
	const downloads = [embedded].flat().filter(Boolean);
	return {
		executionId: new URL(waitingUrl).pathname.split('/').at(-1) ?? '',
		title: title.text(),
		message: title.next('p').text(),
		downloads: downloads.map(({ fileName, type, data }) => ({
			fileName,
			type,
			bytes: typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data.data),
		})),
	};
}

async function waitForStatus(waitingUrl: string, wanted: string[], timeoutMs: number) {
	const url = new URL(waitingUrl);
	url.pathname += '/n8n-execution-status';
	let status = '';
	const checkStatus = async () => {
		status = (await (await fetch(url)).text()).trim();
		if (['error', 'crashed', 'canceled'].includes(status)) {
			throw new UserFacingError(`The workflow behind the form ended with "${status}"`);
		}
		return wanted.includes(status);
	};
	const createMessage = () => `The form is still "${status}"`;
	await waitUntil(checkStatus, { timeoutMs, intervalMs: 200, createMessage });
}
