import { knownExtensions, type Format } from './format';

const maxBytes = 180;

/** Names that say nothing about the format: an extension of ours takes their place. */
const emptyExtensions = new Set([
	'bin',
	'dat',
	'data',
	'tmp',
	'blob',
	'file',
	'octet-stream',
	'bak',
]);

/** Cuts at a whole character, so that the name has at most so many bytes of UTF-8. */
function shorten(name: string): string {
	let bytes = 0;
	let kept = '';
	for (const character of name) {
		bytes += Buffer.byteLength(character);
		if (bytes > maxBytes) break;
		kept += character;
	}
	return kept;
}

/**
 * Makes a file name harmless and keeps it recognisable: no path, no control or quoting characters, not endless.
 *
 * @param name as n8n, a web address or a user calls the file
 * @param fallback for a name with nothing left
 * @returns the name without a known extension
 */
export function baseNameOf(name: string, fallback: string): string {
	// By way of bytes, so that half a character becomes a whole replacement character.
	const whole = Buffer.from(name).toString();
	const clean = whole
		.slice(Math.max(whole.lastIndexOf('/'), whole.lastIndexOf('\\')) + 1)
		// eslint-disable-next-line no-control-regex
		.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '')
		.replace(/[":*?<>|]/g, '_')
		.trim();
	const dot = clean.lastIndexOf('.');
	const extension = clean.slice(dot + 1).toLowerCase();
	const hasExtension =
		dot >= 0 && (knownExtensions.has(extension) || emptyExtensions.has(extension));
	const base = shorten(hasExtension ? clean.slice(0, dot) : clean).replace(/^\.+|[. ]+$/g, '');
	return base === '' ? fallback : base;
}

/**
 * The name for a file of this format: its own extension stays if it fits, else it is put right.
 *
 * @param name see {@link baseNameOf}
 * @param found undefined keeps the name's own extension, if it is a known one
 */
export function fileNameFor(
	name: string,
	found: Pick<Format, 'extensions'> | undefined,
	fallback: string,
): string {
	const base = baseNameOf(name, fallback);
	const ending = name.trimEnd().toLowerCase();
	const fitting = found?.extensions ?? [...knownExtensions];
	const own = fitting.find((extension) => ending.endsWith(`.${extension}`));
	const extension = own ?? found?.extensions[0];
	return extension === undefined ? base : `${base}.${extension}`;
}
