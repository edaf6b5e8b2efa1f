/** Bytes in a megabyte, as the bars count them. */
const megabyte = 1024 * 1024;

/** @param {number} count @returns {number} bytes */
export const megabytes = (count) => count * megabyte;

/**
 * @param {string} text a number of bytes, with K, M or G behind it for 1024 and its powers: `256M`
 * @returns {number | undefined}
 */
export function parseSize(text) {
	const [, number, unit = ''] = /^(\d+)([KMG]?)$/i.exec(text) ?? [];
	if (number === undefined) return undefined;
	return Number(number) * 1024 ** ['', 'K', 'M', 'G'].indexOf(unit.toUpperCase());
}

/** @param {number} bytes @returns {string} `1 GiB` */
export function sizeText(bytes) {
	const units = ['bytes', 'KiB', 'MiB', 'GiB'];
	let power = 0;
	while (power < 3 && bytes >= 1024 ** (power + 1)) power++;
	return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}

/** @param {number} bytes @returns {string} `+12 MB` */
export function growthText(bytes) {
	const count = Math.round(bytes / megabyte);
	return `${count < 0 ? '' : '+'}${count} MB`;
}

/** @param {number[]} values at least one @returns {number} */
export function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
