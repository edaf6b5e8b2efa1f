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
	const units = ['bytes', 'KiB', 'MiB', 'GiB'];
	let power = 0;
	while (power < 3 && bytes >= 1024 ** (power + 1)) power++;
	return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}

/** @param {number} bytes @returns {string} e.g. `+12 MiB` */
export function growthText(bytes) {
	const count = Math.round(bytes / mebibytes(1));
	return `${count < 0 ? '' : '+'}${count} MiB`;
}

/** @param {number} value */
export const ratioText = (value) => `${value.toFixed(2)} ×`;

/** @param {number[]} values at least one @returns {number} */
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

/** @param {Row} row @returns {number} the worst growth of all runs in bytes, because memory has no median */
export const worstGrowth = ({ growth }) => (growth.length > 0 ? Math.max(...growth) : NaN);

/** @param {Row[]} rows @param {string} name @param {number} [bar] in bytes @returns {Claim} */
export function growthOf(rows, name, bar = mebibytes(64)) {
	return { what: 'memory growth', value: worstGrowth(rowOf(rows, name)), text: growthText, bar };
}

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

/** @param {Row[]} rows @returns {Claim[]} of one large transfer, compared with curl and the HTTP Request node */
export const transferClaims = (rows) => [
	growthOf(rows, names.node),
	httpRequestGrowth(rows),
	timeRelativeTo(rows, names.node, names.curl, 2),
	timeRelativeTo(rows, names.node, names.httpRequest, 1),
	...processorRelativeTo(rows, names.node, names.httpRequest),
];

/**
 * Processor time is disturbed less than time by other programs on the machine.
 * @param {Row[]} rows
 * @param {string} name
 * @param {string} other
 * @returns {Claim[]} none if it could not be measured
 */
export function processorRelativeTo(rows, name, other) {
	const [own, others] = [rowOf(rows, name).cpu, rowOf(rows, other).cpu];
	if (own.length === 0 || others.length === 0) return [];
	const value = median(own) / median(others);
	return [{ what: `processor time relative to ${other}`, value, text: ratioText }];
}
