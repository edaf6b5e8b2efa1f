import { knownExtensions, type Format } from './format';

/** In bytes of UTF-8: file systems allow 255, and prefixes and extensions are added. */
const maxBytes = 180;

/** Extensions that do not name a format: they are replaced. */
const emptyExtension = /^(bin|dat|data|tmp|blob|file|octet-stream|bak)$/;

/** Cuts between characters, so that the name has at most {@link maxBytes}. */
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
 * Makes a file name safe and keeps it recognisable: no path, no control or quoting characters, limited length.
 *
 * @param name from n8n, a URL or a user
 * @param fallback used if nothing is left
 * @returns the name without a known extension
 */
export function baseNameOf(name: string, fallback: string): string {
	// Through bytes, so that half a character becomes a replacement character.
	const whole = Buffer.from(name).toString();
	const clean = whole
		.slice(Math.max(whole.lastIndexOf('/'), whole.lastIndexOf('\\')) + 1)
		.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu, '')
		.replace(/[":*?<>|]/g, '_')
		.trim();
	const dot = clean.lastIndexOf('.');
	const extension = clean.slice(dot + 1).toLowerCase();
	const hasExtension =
		dot >= 0 && (knownExtensions.has(extension) || emptyExtension.test(extension));
	const base = shorten(hasExtension ? clean.slice(0, dot) : clean).replace(/^\.+|[. ]+$/g, '');
	return base === '' ? fallback : base;
}

/**
 * The name for a file of this format: keeps its extension if it fits, else replaces it.
 *
 * @param name see {@link baseNameOf}
 * @param found undefined keeps any known extension
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
