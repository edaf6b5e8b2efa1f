/** Names of the candidates. */
export const names = {
	node: 'this node',
	httpRequest: 'HTTP Request node',
	minimal: 'minimal node',
	curl: 'curl',
};

/**
 * A measured value, and the bar that it must meet.
 * @typedef {object} Claim
 * @property {string} what
 * @property {number} value NaN if it could not be measured here
 * @property {(value: number) => string} text formats it
 * @property {number} [bar] the highest accepted value
 */

/**
 * The result of a case.
 * @typedef {object} Outcome
 * @property {string} [name] of the case
 * @property {string} title of what was measured
 * @property {import('./compare.mjs').Row[]} rows
 * @property {Claim[]} claims
 * @property {string} [failure] why it could not be measured
 */

/** @typedef {import('./compare.mjs').Row} Row */

/** @param {number} count @returns {number} bytes */
export const mebibytes = (count) => count * 1024 ** 2;

/** @param {number} bytes @returns {string} e.g. `1 GiB` */
export function sizeText(bytes) {
	const isLarge = bytes >= mebibytes(1024);
	const count = bytes / mebibytes(isLarge ? 1024 : 1);
	return `${Number(count.toFixed(1))} ${isLarge ? 'GiB' : 'MiB'}`;
}

/** @param {number} bytes @returns {string} e.g. `+12 MiB` */
export function growthText(bytes) {
	const count = Math.round(bytes / mebibytes(1));
	return `${count < 0 ? '' : '+'}${count} MiB`;
}

/** @param {number} value */
export const ratioText = (value) => `${value.toFixed(2)} ×`;

/** @param {number[]} values @returns {number} NaN without values */
export function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** @param {Row[]} rows @param {string} name @returns {Row} */
export function rowOf(rows, name) {
	const row = rows.find((one) => one.name === name);
	if (!row) throw new Error(`${name} was not measured`);
	return row;
}

/** @param {Row[]} rows @param {string} name @returns {Claim} */
export const growthOf = (rows, name) => ({
	...{ what: 'memory growth', value: median(rowOf(rows, name).growth) },
	...{ text: growthText, bar: mebibytes(64) },
});

/** @param {Row[]} rows @param {string} name @param {string} other @param {number} [bar] @returns {Claim} */
export function timeRelativeTo(rows, name, other, bar) {
	const value = median(rowOf(rows, name).seconds) / median(rowOf(rows, other).seconds);
	return { what: `time relative to ${other}`, value, text: ratioText, bar };
}

/** @param {Row[]} rows @param {string} [name] of its row @returns {Claim} */
export const httpRequestGrowth = (rows, name = names.httpRequest) => ({
	...growthOf(rows, name),
	...{ what: `memory growth, ${names.httpRequest}`, bar: undefined },
});

/**
 * This node's time relative to that of another candidate, and its processor time if both were measured: other programs
 * on the machine disturb it less.
 * @param {Row[]} rows
 * @param {string} other
 * @param {number} [bar] for the time
 * @returns {Claim[]}
 */
export function relativeTo(rows, other, bar) {
	const [own, others] = [rowOf(rows, names.node).cpu, rowOf(rows, other).cpu];
	const time = timeRelativeTo(rows, names.node, other, bar);
	if (own.length === 0 || others.length === 0) return [time];
	const value = median(own) / median(others);
	return [time, { what: `processor time relative to ${other}`, value, text: ratioText }];
}

/** @param {Row[]} rows @returns {Claim[]} of one large transfer, compared with curl and the HTTP Request node */
export const transferClaims = (rows) => [
	growthOf(rows, names.node),
	httpRequestGrowth(rows),
	...relativeTo(rows, names.curl, 2),
	...relativeTo(rows, names.httpRequest, 1),
];
