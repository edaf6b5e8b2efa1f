import { median } from './units.mjs';

/**
 * Something measured, held against the bar that it must meet and the mark to aim at.
 * @typedef {object} Claim
 * @property {string} what
 * @property {number} value NaN where it could not be measured here
 * @property {(value: number) => string} text how it is written
 * @property {number} [bar] the highest value that is accepted
 * @property {number} [mark] the highest value to be content with
 */

/**
 * What a case came to.
 * @typedef {object} Outcome
 * @property {string} title
 * @property {import('./race.mjs').Row[]} rows
 * @property {Claim[]} claims
 * @property {string[]} [notes]
 * @property {string[]} [failures] why it could not be measured
 */

/**
 * @param {import('./race.mjs').Row[]} rows
 * @param {string} name
 * @returns {import('./race.mjs').Row}
 */
export function rowOf(rows, name) {
	const row = rows.find((one) => one.name === name);
	if (!row) throw new Error(`Nothing was measured of ${name}`);
	return row;
}

/**
 * The worst growth of any run: memory has no median.
 * @param {import('./race.mjs').Row} row
 * @returns {number} bytes
 */
export const worstGrowth = ({ growth }) => (growth.length > 0 ? Math.max(...growth) : NaN);

/** @param {number} value */
const ratioText = (value) => `${value.toFixed(2)} ×`;

/**
 * How long one candidate takes for what another one does.
 * @param {import('./race.mjs').Row[]} rows
 * @param {string} name
 * @param {string} other
 * @param {{bar?: number, mark?: number}} limits
 * @returns {Claim}
 */
export function timeAgainst(rows, name, other, limits) {
	const value = median(rowOf(rows, name).seconds) / median(rowOf(rows, other).seconds);
	return { what: `time against ${other}`, value, text: ratioText, ...limits };
}

/**
 * The same of processor time: what else the machine does disturbs it less.
 * @param {import('./race.mjs').Row[]} rows
 * @param {string} name
 * @param {string} other
 * @returns {Claim[]} nothing where it could not be measured
 */
export function processorAgainst(rows, name, other) {
	const [own, others] = [rowOf(rows, name).cpu, rowOf(rows, other).cpu];
	if (own.length === 0 || others.length === 0) return [];
	const value = median(own) / median(others);
	return [{ what: `processor time against ${other}`, value, text: ratioText }];
}

/**
 * @param {number} count times that of the other
 * @returns {string}
 */
export const times = ratioText;
