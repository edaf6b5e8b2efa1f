import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { countBytes } from './call.mjs';
import { Refusal } from './refusal.mjs';

/**
 * @typedef {object} Upload
 * @property {string} path the temporary file
 * @property {string} name file name as the client sent it
 * @property {number} bytes
 * @property {string} sha256 hexadecimal
 */

/**
 * Reads a multipart body while it arrives: nothing of a file is held, it is counted and hashed on
 * its way to a temporary file. Parts may come in any order; parts that nobody asked for are read
 * past. Source: interface document, the parts of speech-to-text and voice-clone; one file only is
 * the emulator's own choice.
 * @param {import('./call.mjs').Call} call
 * @returns {Promise<{file: Upload, fields: Map<string, string>}>}
 * @throws {Refusal} badField, tooLarge, unsupportedFormat (the body is not multipart) or gone
 */
export async function readMultipart(call) {
	const { request } = call;
	if (!request.isMultipart()) {
		throw new Refusal('unsupportedFormat', 'Send the body as multipart/form-data.', 'Content-Type');
	}
	try {
		return await readParts(call);
	} catch (error) {
		if (error instanceof Refusal) throw error;
		if (request.raw.destroyed && !request.raw.complete) {
			throw new Refusal('gone', 'The client left before its upload was complete.');
		}
		throw new Refusal('badField', 'The multipart body is not well-formed.');
	}
}

/** @param {import('./call.mjs').Call} call */
async function readParts(call) {
	const { maxFileBytes } = call.state.settings;
	/** @type {Map<string, string>} */
	const fields = new Map();
	/** @type {Upload | undefined} */
	let file;
	const names = new Set();
	const parts = call.request.parts({
		limits: { fileSize: maxFileBytes || Infinity },
	});
	countBytes(call);
	for await (const part of parts) {
		names.add(part.fieldname);
		if (part.type === 'field') {
			if (part.valueTruncated) {
				throw new Refusal('tooLarge', `The part "${part.fieldname}" is too long.`, part.fieldname);
			}
			fields.set(part.fieldname, String(part.value));
		} else if (part.fieldname !== 'file') {
			part.file.resume();
		} else if (file) {
			throw new Refusal('badField', 'Send one part "file" only.', 'file');
		} else {
			file = await keep(call, part, maxFileBytes);
		}
	}
	if (!file) throw missingFile(names);
	if (file.bytes === 0) throw new Refusal('badField', 'The part "file" is empty.', 'file');
	return { file, fields };
}

/**
 * @param {import('./call.mjs').Call} call
 * @param {import('@fastify/multipart').MultipartFile} part
 * @param {number} most bytes; 0 for any
 * @returns {Promise<Upload>}
 */
async function keep(call, part, most) {
	const path = call.spool.newPath();
	// Made before anything can fail: a file that came into being later would outlive its deletion.
	const target = await open(path, 'wx');
	const hash = createHash('sha256');
	let bytes = 0;
	await pipeline(
		part.file,
		/** @param {AsyncIterable<Buffer>} chunks */
		async function* (chunks) {
			for await (const chunk of chunks) {
				hash.update(chunk);
				bytes += chunk.length;
				yield chunk;
				if (part.file.truncated) {
					throw new Refusal('tooLarge', `The file is larger than ${most} bytes.`, 'file');
				}
			}
		},
		target.createWriteStream(),
	);
	return { path, name: readFileName(part.filename), bytes, sha256: hash.digest('hex') };
}

/**
 * Undoes the escapes that the multipart rules of the WHATWG put into a file name.
 * @param {string} name
 */
function readFileName(name) {
	return name.replace(/%(22|0D|0A)/gi, (escape) => decodeURIComponent(escape));
}

/** @param {Set<unknown>} names of the parts there were */
function missingFile(names) {
	const message = names.has('file')
		? 'The part "file" must be a file: send it with a file name.'
		: `The part "file" is missing; there is ${[...names].map((name) => `"${name}"`).join(', ') || 'none'}.`;
	return new Refusal('badField', message, 'file');
}
