import { maxFileNameBytes } from '../limits';
import { knownExtensions, type Format } from './format';

/** Extensions that do not name a format, and are replaced. */
const meaninglessExtension = /^(bin|dat|data|tmp|blob|file|octet-stream|bak)$/;

/**
 * Makes a file name safe, without its extension if that is known. It has no path, no control or quoting characters, and a
 * limited length.
 */
export function cleanBaseName(name: string, fallback: string): string {
	// Through bytes, so that half a character becomes a replacement character.
	const whole = Buffer.from(name).toString();
	const clean = whole
		.slice(Math.max(whole.lastIndexOf('/'), whole.lastIndexOf('\\')) + 1)
		.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu, '')
		.replace(/[":*?<>|]/g, '_')
		.trim();
	const stem = clean.replace(/\.([^.]*)$/, (ending, text: string) => {
		const extension = text.toLowerCase();
		return knownExtensions.has(extension) || meaninglessExtension.test(extension) ? '' : ending;
	});
	const bytes = Buffer.from(stem).subarray(0, maxFileNameBytes);
	// A streaming decoder drops an incomplete character at the end.
	const cut = new TextDecoder().decode(bytes, { stream: true });
	const base = cut.replace(/^\.+|[. ]+$/g, '');
	return base === '' ? fallback : base;
}

/** A safe name for a file of this format. Its extension stays if it fits; without a format, any known one fits. */
export function chooseFileName(
	name: string,
	format: Pick<Format, 'extensions'> | undefined,
	fallback: string,
): string {
	const base = cleanBaseName(name, fallback);
	const ending = name.trimEnd().toLowerCase();
	const fitting = format?.extensions ?? [...knownExtensions];
	const own = fitting.find((extension) => ending.endsWith(`.${extension}`));
	const extension = own ?? format?.extensions[0];
	return extension === undefined ? base : `${base}.${extension}`;
}
