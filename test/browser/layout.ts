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
	/** Of its picture and of its texts: nothing else may be there. */
	boxes: Box[];
	/** Texts that end in "...". */
	truncated: string[];
}

/** Pairs of nodes and notes that overlap. */
export function overlapsOf(shown: Shown[]): string[] {
	const meet = (a: Box, b: Box) =>
		Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
		Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
	return shown.flatMap((one, index) =>
		shown
			.slice(index + 1)
			.filter((other) => one.boxes.some((a) => other.boxes.some((b) => meet(a, b))))
			.map((other) => `${one.name} / ${other.name}`),
	);
}

const MARGIN = 36;
/** Less: behind the last node is the mark of its open output. */
const MARGIN_RIGHT = 16;
/** Room for the names of a node's outputs, on its right. */
const OUTPUT_NAMES = 70;

const around = (boxes: Box[]): Box => ({
	left: Math.min(...boxes.map((box) => box.left)),
	top: Math.min(...boxes.map((box) => box.top)),
	right: Math.max(...boxes.map((box) => box.right)),
	bottom: Math.max(...boxes.map((box) => box.bottom)),
});

/** Divides the nodes where none is, into rows about as wide as each other. */
export function rowsOf(nodes: Shown[], width: number): Box[] {
	const boxes = nodes.map((node) => around(node.boxes)).sort((a, b) => a.left - b.left);
	const { left: start, right: end } = around(boxes);
	const wanted = (end - start) / Math.ceil((end - start) / width);
	const rows: Box[] = [];
	for (const box of boxes) {
		const row = rows.at(-1);
		const middle = (box.left + box.right) / 2 - start;
		const belongsToRow = row && (box.left < row.right || middle < rows.length * wanted);
		if (belongsToRow) rows[rows.length - 1] = around([row, box]);
		else rows.push(box);
	}
	// Where the row continues: in the middle between two columns, but not through the names of outputs.
	const cuts = rows.slice(1).map(({ left }, index) => {
		const { right } = rows[index]!;
		return Math.max((right + left) / 2, Math.min(right + OUTPUT_NAMES, left - 8));
	});
	return rows.map(({ left, top, right, bottom }, index) => ({
		left: cuts[index - 1] ?? left - MARGIN,
		top: top - MARGIN,
		right: cuts[index] ?? right + MARGIN_RIGHT,
		bottom: bottom + MARGIN / 2,
	}));
}
