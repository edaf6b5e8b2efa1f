import type { Row } from './compare.mts';

/** Names of the candidates. */
export const names = {
	node: 'this node',
	httpRequest: 'HTTP Request node',
	minimal: 'minimal node',
	curl: 'curl',
};

/** A measured value, and the bar that it must meet. */
export interface Claim {
	what: string;
	/** NaN if it could not be measured here */
	value: number;
	/** formats it */
	text: (value: number) => string;
	/** the highest accepted value */
	bar?: number;
}

/** The result of a case. */
export interface Outcome {
	/** of the case */
	name?: string;
	/** of what was measured */
	title: string;
	rows: Row[];
	claims: Claim[];
	/** why it could not be measured */
	failure?: string;
}

/** @returns bytes */
export const mebibytes = (count: number): number => count * 1024 ** 2;

/** @returns e.g. `1 GiB` */
export function sizeText(bytes: number): string {
	const isLarge = bytes >= mebibytes(1024);
	const count = bytes / mebibytes(isLarge ? 1024 : 1);
	return `${Number(count.toFixed(1))} ${isLarge ? 'GiB' : 'MiB'}`;
}

/** @returns e.g. `+12 MiB` */
export function growthText(bytes: number): string {
	const count = Math.round(bytes / mebibytes(1));
	return `${count < 0 ? '' : '+'}${count} MiB`;
}

export const ratioText = (value: number) => `${value.toFixed(2)} ×`;

/** @returns NaN without values */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

export function rowOf(rows: Row[], name: string): Row {
	const row = rows.find((one) => one.name === name);
	if (!row) throw new Error(`${name} was not measured`);
	return row;
}

export const growthOf = (rows: Row[], name: string): Claim => ({
	...{ what: 'memory growth', value: median(rowOf(rows, name).growth) },
	...{ text: growthText, bar: mebibytes(64) },
});

export function timeRelativeTo(rows: Row[], name: string, other: string, bar?: number): Claim {
	const value = median(rowOf(rows, name).seconds) / median(rowOf(rows, other).seconds);
	return { what: `time relative to ${other}`, value, text: ratioText, bar };
}

/** @param name of its row */
export const httpRequestGrowth = (rows: Row[], name: string = names.httpRequest): Claim => ({
	...growthOf(rows, name),
	...{ what: `memory growth, ${names.httpRequest}`, bar: undefined },
});

/**
 * This node's time relative to that of another candidate, and its processor time if both were measured: other programs
 * on the machine disturb it less.
 * @param bar for the time
 */
export function relativeTo(rows: Row[], other: string, bar?: number): Claim[] {
	const [own, others] = [rowOf(rows, names.node).cpu, rowOf(rows, other).cpu];
	const time = timeRelativeTo(rows, names.node, other, bar);
	if (own.length === 0 || others.length === 0) return [time];
	const value = median(own) / median(others);
	return [time, { what: `processor time relative to ${other}`, value, text: ratioText }];
}

/** @returns of one large transfer, compared with curl and the HTTP Request node */
export const transferClaims = (rows: Row[]): Claim[] => [
	growthOf(rows, names.node),
	httpRequestGrowth(rows),
	...relativeTo(rows, names.curl, 2),
	...relativeTo(rows, names.httpRequest, 1),
];
