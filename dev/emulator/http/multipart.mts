import { createHash, randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';

import { Refusal } from './refusal.mts';
import type { Call } from './call.mts';

/**
 * Reads a multipart body as it arrives, and saves its file to the disk. Parts may be in any order. Unknown parts are
 * ignored.
 *
 * @returns the part `file`, and the fields by name
 * @throws {Refusal} badField, tooLarge, unsupportedFormat (not multipart) or clientClosed
 */
export async function readMultipart(call: Call) {
	const { request } = call;
	if (!request.isMultipart()) {
		throw new Refusal('unsupportedFormat', 'Send the body as multipart/form-data.');
	}
	try {
		return await readParts(call);
	} catch (error) {
		if (error instanceof Refusal) throw error;
		if (request.raw.destroyed && !request.raw.complete) {
			throw new Refusal('clientClosed', 'The client left before its upload was complete.');
		}
		// A full disk, for example, is not the client's fault.
		if (error instanceof Error && 'syscall' in error) throw error;
		throw new Refusal('badField', 'The multipart body is not well-formed.');
	}
}

async function readParts(call: Call) {
	const fields: Map<string, string> = new Map();
	let file: Awaited<ReturnType<typeof saveFile>> | undefined;
	const names = new Set();
	for await (const part of call.request.parts()) {
		names.add(`"${part.fieldname}"`);
		if (part.type === 'field') {
			if (part.valueTruncated) {
				throw new Refusal('tooLarge', `The part "${part.fieldname}" is too long.`);
			}
			fields.set(part.fieldname, String(part.value));
		} else if (part.fieldname !== 'file') {
			part.file.resume();
		} else if (file) {
			throw new Refusal('badField', 'Send only one part "file".');
		} else {
			file = await saveFile(call, part);
		}
	}
	if (!file) {
		const message = names.has('"file"')
			? 'The part "file" must be a file: send it with a file name.'
			: `The part "file" is missing. The body has ${[...names].join(', ') || 'no parts'}.`;
		throw new Refusal('badField', message);
	}
	if (file.bytes === 0) throw new Refusal('badField', 'The part "file" is empty.');
	return { file, fields };
}

/** @returns the path of a temporary file, the file name that the client sent, the size and the hexadecimal hash */
async function saveFile(call: Call, part: MultipartFile) {
	const filePath = path.join(call.uploads, randomUUID());
	call.files.push(filePath);
	// A stream that opens its file later could create it after its deletion, so the file is opened here.
	const target = (await open(filePath, 'wx')).createWriteStream();
	const hash = createHash('sha256');
	part.file.on('data', (chunk) => hash.update(chunk));
	await pipeline(part.file, target);
	// In a file name, the WHATWG's multipart rules require that a client escapes these characters.
	const name = part.filename.replace(/%(?:22|0D|0A)/gi, decodeURIComponent);
	return { path: filePath, name, bytes: target.bytesWritten, sha256: hash.digest('hex') };
}
