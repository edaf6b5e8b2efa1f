export interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** A node or a note, where it is on the page. */
export interface Shown {
	/** Name of a node; the beginning of a note. */
	name: string;
	isNote: boolean;
	/** The boxes of its picture and of its texts, which nothing else may overlap. */
	boxes: Box[];
	/** Texts that end in "...". */
	truncated: string[];
}

/** Pairs of nodes and notes that overlap. */
export function findOverlaps(shown: Shown[]): string[] {
	const isOverlapping = (a: Box, b: Box) =>
		Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
		Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
	return shown.flatMap((one, index) =>
		shown
			.slice(index + 1)
			.filter((other) => one.boxes.some((a) => other.boxes.some((b) => isOverlapping(a, b))))
			.map((other) => `${one.name} / ${other.name}`),
	);
}

/** The smallest box around others. */
export const surround = (boxes: Box[]): Box => ({
	left: Math.min(...boxes.map((box) => box.left)),
	top: Math.min(...boxes.map((box) => box.top)),
	right: Math.max(...boxes.map((box) => box.right)),
	bottom: Math.max(...boxes.map((box) => box.bottom)),
});

/** A box with room around it. */
export const addMargin = ({ left, top, right, bottom }: Box, margin: number): Box => ({
	left: left - margin,
	top: top - margin,
	right: right + margin,
	bottom: bottom + margin,
});

/** A box as Playwright takes the part of a page. */
export const toClip = ({ left, top, right, bottom }: Box) => ({
	x: left,
	y: top,
	width: right - left,
	height: bottom - top,
});
