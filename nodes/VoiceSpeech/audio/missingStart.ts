import { formats, type Format, type FormatName } from './format';
import type { AudioReader } from './reader';
import { findAudioStart } from './tags';

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
