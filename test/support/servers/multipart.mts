import { createHash } from 'node:crypto';

/** A part of a multipart body, as it arrived. */
export interface Part {
	/** Its header lines, as written. */
	head: string;
	headers: Record<string, string>;
	name: string | undefined;
	fileName: string | undefined;
	body: Buffer;
	sha256: string;
}

export function computeSha256(data: Buffer): string {
	return createHash('sha256').update(data).digest('hex');
}

function readParameter(header: string, name: string): string | undefined {
	return new RegExp(`[; ]${name}="([^"]*)"`).exec(header)?.[1];
}

function readPart(raw: Buffer): Part {
	const end = raw.indexOf('\r\n\r\n');
	const head = raw.subarray(0, end).toString();
	const headers: Record<string, string> = {};
	for (const line of head.split('\r\n').filter(Boolean)) {
		const colon = line.indexOf(':');
		headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
	}
	const disposition = headers['content-disposition'] ?? '';
	const body = raw.subarray(end + 4, raw.length - 2);
	return {
		head,
		headers,
		body,
		sha256: computeSha256(body),
		name: readParameter(disposition, 'name'),
		fileName: readParameter(disposition, 'filename'),
	};
}

/** Parses a multipart body by hand, because a library would tolerate mistakes and hide them. Empty for other bodies. */
export function readParts(body: Buffer, contentType = ''): Part[] {
	const boundary = /boundary=([^;]+)/.exec(contentType)?.[1];
	if (boundary === undefined) return [];
	const delimiter = Buffer.from(`--${boundary}`);
	const offsets: number[] = [];
	let offset = body.indexOf(delimiter);
	while (offset >= 0) {
		offsets.push(offset);
		offset = body.indexOf(delimiter, offset + 1);
	}
	return offsets
		.slice(0, -1)
		.map((at, index) => readPart(body.subarray(at + delimiter.length + 2, offsets[index + 1])));
}
