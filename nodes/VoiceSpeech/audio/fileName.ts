import { maxFileNameBytes } from '../limits';
import { type Format, type FormatName, formats, knownExtensions } from './format';
import type { AudioReader } from './reader';
import { findAudioStart } from './tags';

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

/** Formats whose files always begin with a signature, unlike those of MP3. */
const signedNames: FormatName[] = ['WAV', 'FLAC', 'M4A', 'OGG Opus', 'OGG', 'WebM'];

const signedFormats: Format[] = formats.filter(({ name }) => signedNames.includes(name));

/** The ID of a Cluster, with which no file of WebM or Matroska begins (RFC 9559, 5.1.3). */
const clusterId = Buffer.from('1f43b675', 'hex');

/** The extensions and subtypes that a name and a type declare, in lower case, and without `x-` and `vnd.`. */
function listDeclared({ name, mimeType }: AudioReader['declared']): string[] {
	const [, extension] = /\.(\w+)\s*$/.exec(name) ?? [];
	const [, subtype] =
		/^\s*(?:audio|video|application)\/(?:x-)?(?:vnd\.)?([\w-]+)/i.exec(mimeType) ?? [];
	return [extension, subtype].flatMap((text) => text?.toLowerCase() ?? []);
}

/** Whether the name or the type of a file declares audio that has a signature, so that text in it is not a document. */
export function isDeclaredAudio(declared: AudioReader['declared']): boolean {
	const mp3 = ['mp3', 'mpeg', 'mpga'];
	return listDeclared(declared).some(
		(text) => mp3.includes(text) || nameDeclared(text) !== undefined,
	);
}

/** How messages call a format that a file is declared as. MP4 has several names. */
function nameDeclared(declared: string): string | undefined {
	const format = signedFormats.find(
		({ extensions, mimeType }) =>
			extensions.includes(declared) || mimeType.endsWith(`/${declared}`),
	);
	if (format?.name === 'OGG Opus') return 'OGG';
	return format?.name === 'M4A' ? declared.toUpperCase() : format?.name;
}

/**
 * Finds out whether a file without a known format lacks its beginning: it is a later piece of a recording, or its name or
 * its type declares a format whose signature it does not have. Raw samples are declared as none of them.
 *
 * @returns how messages call the format
 */
export async function findMissingStart(reader: AudioReader): Promise<string | undefined> {
	// A signature after a very long tag is not looked for.
	const isSearched = (await findAudioStart(reader)) !== undefined;
	if (!isSearched) return undefined;
	const declared = listDeclared(reader.declared);
	if (reader.head.subarray(0, clusterId.length).equals(clusterId)) {
		return declared.some((text) => /^(mk[av]|matroska)$/.test(text)) ? 'Matroska' : 'WebM';
	}
	return declared.map(nameDeclared).find((name) => name !== undefined);
}
