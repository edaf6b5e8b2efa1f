import type { IConnections, INode } from 'n8n-workflow';

import { read, trackedFiles } from './repository';

/** What n8n 2.41.1 draws, in units of the canvas. A node's name has one or two lines, then comes its subtitle. */
const size = { node: 96, subNode: 80, agent: 256, output: 32, characterOfName: 8.5 };
const textBelow = { margin: 8, lineOfName: 20, gap: 4, subtitle: 17 };

/** A part of the canvas that a browser shows without making notes too small to read. */
const window = { width: 1000, height: 700 };

interface Example {
	nodes: INode[];
	connections: IConnections;
}

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

const files = trackedFiles.filter((file) => /^examples\/.+\.json$/.test(file));
const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
const isTrigger = ({ type }: INode) => /trigger|webhook|emailReadImap/i.test(type);

/** A note, or a node with its name and subtitle. */
function boxOf(node: INode, connections: IConnections): Box {
	const { name, parameters } = node;
	const [left, top] = node.position;
	if (isNote(node)) {
		const [width, height] = [Number(parameters.width), Number(parameters.height)];
		return { name, left, top, right: left + width, bottom: top + height };
	}
	const isAgent = Object.values(connections).some((outputs) =>
		JSON.stringify({ ...outputs, main: [] }).includes(`"node":${JSON.stringify(name)}`),
	);
	if (isAgent) return { name, left, top, right: left + size.agent, bottom: top + size.node };
	const { main, ...others } = connections[name] ?? {};
	const width = Object.keys(others).length > 0 ? size.subNode : size.node;
	const height = width + size.output * Math.max(0, (main?.length ?? 1) - 2);
	const lines = name.length * size.characterOfName > 2 * width ? 2 : 1;
	const { margin, lineOfName, gap, subtitle } = textBelow;
	const bottom = top + height + margin + lines * lineOfName + gap + subtitle;
	return { name, left: left - width / 2, top, right: left + 1.5 * width, bottom };
}

const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe.each(files)('%s', (file) => {
	const { nodes, connections } = JSON.parse(read(file)) as Example;
	const boxes = nodes.map((node) => boxOf(node, connections));

	it('has no notes or nodes that overlap', () => {
		const overlaps = boxes.flatMap((box, index) =>
			boxes
				.slice(index + 1)
				.flatMap((other) => (overlap(box, other) ? [[box.name, other.name]] : [])),
		);
		expect(overlaps).toEqual([]);
	});

	it('shows its first note and its first trigger together', () => {
		const both = [nodes.find(isNote)!, nodes.find(isTrigger)!].map((node) =>
			boxOf(node, connections),
		);
		const side = (name: 'left' | 'top' | 'right' | 'bottom') => both.map((box) => box[name]);
		const width = Math.max(...side('right')) - Math.min(...side('left'));
		const height = Math.max(...side('bottom')) - Math.min(...side('top'));
		expect(width).toBeLessThanOrEqual(window.width);
		expect(height).toBeLessThanOrEqual(window.height);
	});
});
