import { randomUUID } from 'node:crypto';

import {
	respondWithBytes,
	respondWithJson,
	type RecordedRequest,
} from '../../support/servers/scriptedServer.mts';
import type { AppProxy } from '../../support/servers/appProxy.mts';

export interface DriveFile {
	id: string;
	name: string;
	mimeType: string;
	createdTime: string;
	parents: string[];
	webViewLink: string;
	content: Buffer;
	/** Whether its content cannot be downloaded any more. */
	isGone?: boolean;
}

const accessToken = 'ya29.stand-in';

/**
 * Google Drive and one sheet of Google Sheets, as far as https://developers.google.com/workspace documents what n8n uses.
 */
export class GoogleApps {
	readonly files: DriveFile[] = [];

	/** The cells of the sheet, row by row. */
	rows: string[][] = [];

	/** How the cells must be read that n8n writes: with USER_ENTERED, a text that begins with `=` becomes a formula. */
	valueInputOptions = new Set<string | null>();

	constructor(
		proxy: AppProxy,
		readonly spreadsheetId: string,
	) {
		proxy.setApp('www.googleapis.com', `Bearer ${accessToken}`, this.respondAsDrive);
		proxy.setApp('sheets.googleapis.com', `Bearer ${accessToken}`, this.respondAsSheets);
	}

	/** What n8n stores after "Sign in with Google". */
	readonly credential = {
		clientId: 'client',
		clientSecret: 'secret',
		oauthTokenData: { access_token: accessToken, token_type: 'Bearer', expires_in: 3599 },
	};

	/** Two methods of Google Drive's API, version 3: `files.list` and `files.get`. */
	private readonly respondAsDrive = (url: URL) => {
		if (url.pathname === '/drive/v3/files') {
			const terms = (url.searchParams.get('q') ?? '').split(/ and /i);
			const found = this.files.filter((file) => terms.every((term) => matches(file, term)));
			const newestFirst = found.toReversed().slice(0, Number(url.searchParams.get('pageSize')));
			return { files: newestFirst.map((file) => ({ ...file, content: undefined })) };
		}
		const file = this.files.find(({ id }) => url.pathname === `/drive/v3/files/${id}`);
		if (!file || file.isGone) return refuse(404, 'NOT_FOUND');
		if (url.searchParams.get('alt') === 'media') {
			return respondWithBytes(file.content, file.mimeType);
		}
		return { name: file.name, mimeType: file.mimeType };
	};

	/** What n8n uses of Google Sheets' API, version 4. */
	private readonly respondAsSheets = (url: URL, request: RecordedRequest) => {
		const base = `/v4/spreadsheets/${this.spreadsheetId}`;
		const path = decodeURIComponent(url.pathname);
		if (path === base) return { sheets: [{ properties: { sheetId: 0, title: 'Tabelle 1' } }] };
		// It appends an empty row, which this sheet has anyway.
		if (path === `${base}:batchUpdate`) return { replies: [{}] };
		const [, range] = path.split(`${base}/values/`);
		if (range === undefined) return refuse(404, 'NOT_FOUND');
		if (request.method === 'PUT') return this.write(request, url, range);
		const [, first = '', last] = /(?:!(\w+):(\w+))?$/.exec(range)!;
		const isRow = /^\d+$/.test(first);
		const rows = isRow ? this.rows.slice(Number(first) - 1, Number(last)) : this.rows;
		const values = first === 'A' ? rows.map((row) => row.slice(0, 1)) : rows;
		// Google leaves out what is empty.
		return values.length > 0 ? { range, values } : { range };
	};

	private write({ body }: RecordedRequest, url: URL, range: string) {
		const { values } = JSON.parse(body.toString()) as { values: string[][] };
		const isTooLong = values.flat().some((value) => String(value).length > 50_000);
		if (isTooLong) return refuse(400, 'INVALID_ARGUMENT');
		this.valueInputOptions.add(url.searchParams.get('valueInputOption'));
		const first = Number(/!(\d+):\d+$/.exec(range)![1]) - 1;
		this.rows.splice(first, values.length, ...values);
		return { updatedRange: range };
	}
}

/** @param createdTime in ISO 8601 */
export function createDriveFile(
	folder: string,
	name: string,
	mimeType: string,
	content: Buffer,
	createdTime: string = new Date().toISOString(),
): DriveFile {
	const id = randomUUID();
	const webViewLink = `https://drive.google.com/file/d/${id}/view?usp=drivesdk`;
	return { id, name, mimeType, createdTime, parents: [folder], webViewLink, content };
}

/** Whether a file matches one term of a query, in the language that Google documents for `files.list`. */
function matches(file: DriveFile, term: string): boolean {
	const [, value = ''] = /'(.*)'/.exec(term) ?? [];
	if (/^'.*' in parents$/.test(term)) return file.parents.includes(value);
	if (/^createdTime > /.test(term)) return Date.parse(file.createdTime) > Date.parse(value);
	if (/^mimeType != /.test(term)) return file.mimeType !== value;
	if (term === 'trashed = false') return true;
	throw new Error(`Unknown term of a query: ${term}`);
}

const refuse = (code: number, status: string) =>
	respondWithJson({ error: { code, message: status.toLowerCase(), status } }, code);
