/*
 * The WebAssembly of the package `opus-decoder`, for the build and for jest, which loads this file in place of
 * `nodes/VoiceSpeech/audio/convert/opusWasm`. The package's JavaScript is not used, because n8n's scan refuses it.
 */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { inflateRawSync } = require('node:zlib');

const folder = path.dirname(require.resolve('opus-decoder'));
const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
const source = readFileSync(path.join(folder, 'src/EmscriptenWasm.js'), 'utf8');

/**
 * The WebAssembly that was reviewed and tested. opus.ts calls its exports by the names that Emscripten gave them,
 * which are in src/EmscriptenWasm.js of the package and can differ in another release.
 */
const reviewed = {
	version: '0.7.12',
	sha256: '8b67eda2a46e478f65c24c467dae9eac26293efae6484bfe762b9d1086058b4b',
};

/** What a person has to do before another release of the package can be used. */
const advice = `Install opus-decoder ${reviewed.version}, or review the new release, and the names of the exports in opus.ts.`;

/**
 * Decodes dynEncode, a form of yEnc whose header is the version, the offset and a checksum in hexadecimal. The checksum
 * is not needed, because that of the result is checked.
 *
 * @param {string} text
 */
function decodeDynEncode(text) {
	const header = /^dynEncode01([0-9a-f]{2})[0-9a-f]{8}/.exec(text);
	if (!header?.[1]) throw new Error(`opus-decoder's WebAssembly is encoded differently. ${advice}`);
	const offset = parseInt(header[1], 16);
	const bytes = Buffer.alloc(text.length);
	let length = 0;
	for (let index = header[0].length; index < text.length; index++) {
		const isEscaped = text[index] === '=';
		if (isEscaped) index++;
		// A byte that is less than 0 or more than 255 wraps around in the buffer.
		bytes[length] = text.charCodeAt(index) - offset - (isEscaped ? 64 : 0);
		length++;
	}
	return bytes.subarray(0, length);
}

function readWasm() {
	const start = source.indexOf('String.raw`');
	const end = source.lastIndexOf('`}');
	if (start === -1 || end < start) {
		throw new Error(`opus-decoder's WebAssembly is in another place. ${advice}`);
	}
	const wasm = inflateRawSync(decodeDynEncode(source.slice(start + 'String.raw`'.length, end)));
	const sha256 = createHash('sha256').update(wasm).digest('hex');
	if (version !== reviewed.version || sha256 !== reviewed.sha256) {
		throw new Error(
			`opus-decoder ${version} has a WebAssembly with the sha256 ${sha256}; ${reviewed.version} with ${reviewed.sha256} was expected. ${advice}`,
		);
	}
	return wasm;
}

const wasm = readWasm();

/** The WebAssembly in base64, as the published module exports it. */
exports.opusWasm = wasm.toString('base64');

/** Makes the module that is published, with base64 in lines below a comment that says where it comes from. */
exports.renderModule = () => {
	const lines = exports.opusWasm.match(/.{1,120}/g) ?? [];
	return `"use strict";
// The Opus decoder (libopus) in WebAssembly, in base64. Loaded only to convert an Opus recording.
//
// Package:  opus-decoder ${version} (npm), src/EmscriptenWasm.js
// Homepage: https://github.com/eshaz/wasm-audio-decoders
// sha256:   ${reviewed.sha256} (of the WebAssembly)
// Licenses: MIT (opus-decoder), BSD-3-Clause (libopus and opusfile); see opusWasm.LICENSE.txt
exports.opusWasm = [
${lines.map((line) => `  "${line}",`).join('\n')}
].join("");
`;
};
