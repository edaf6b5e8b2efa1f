import { createHash } from 'node:crypto';

/**
 * The sha256 of the first file in a multipart body, taken while the body passes.
 */
export class FileHash {
	#hash = createHash('sha256');
	#end;
	#rest = Buffer.alloc(0);
	/** @type {'before' | 'inside' | 'after'} */
	#place = 'before';

	/** @param {string} contentType of the body, with its boundary */
	constructor(contentType) {
		const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1] ?? '';
		this.#end = Buffer.from(`\r\n--${boundary}`);
	}

	/** @param {Buffer} chunk the next bytes of the body */
	update(chunk) {
		if (this.#place === 'after') return;
		const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
		this.#rest = this.#place === 'before' ? this.#enter(bytes) : this.#inside(bytes);
	}

	/** @param {Buffer} bytes */
	#enter(bytes) {
		const name = bytes.indexOf('filename=');
		const start = name < 0 ? -1 : bytes.indexOf('\r\n\r\n', name);
		if (start < 0) return bytes;
		this.#place = 'inside';
		return this.#inside(bytes.subarray(start + 4));
	}

	/** @param {Buffer} bytes */
	#inside(bytes) {
		const end = bytes.indexOf(this.#end);
		if (end >= 0) this.#place = 'after';
		// The beginning of the end may already be there.
		const sure = end >= 0 ? end : Math.max(0, bytes.length - this.#end.length + 1);
		this.#hash.update(bytes.subarray(0, sure));
		return Buffer.from(bytes.subarray(sure));
	}

	/** @returns {string} */
	digest() {
		return this.#hash.digest('hex');
	}
}
