// Memory over time as a picture (SVG) that follows the reader's light or dark mode.
import { mebibytes, names } from './claims.mts';
import type { Outcome } from './claims.mts';
import type { Trace } from './process.mts';

const [width, height, left, top] = [410, 230, 70, 40];
const [plotWidth, plotHeight] = [310, 130];
const classes = { [names.node]: 'own', [names.httpRequest]: 'other' };

const style = `
	text { font: 12px sans-serif; fill: #57606a; } .title { font-weight: 600; fill: #24292f; }
	path, line { fill: none; stroke-width: 2; } line { stroke: #d0d7de; stroke-width: 1; }
	.own { stroke: #0969da; } .other { stroke: #bc4c00; } text.own { fill: #0969da; } text.other { fill: #bc4c00; }
	text.own, text.other { stroke: none; }
	@media (prefers-color-scheme: dark) {
		text { fill: #8b949e; } .title { fill: #e6edf3; } line { stroke: #30363d; }
		.own { stroke: #58a6ff; } .other { stroke: #f0883e; } text.own { fill: #58a6ff; } text.other { fill: #f0883e; }
	}`;

/** @returns the next higher 1, 2 or 5 with zeros */
function roundUp(value: number): number {
	const power = 10 ** Math.floor(Math.log10(value));
	return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}

/** @param index of the panel */
function panel({ title, rows }: Outcome, index: number) {
	const traces = rows.flatMap(({ name, trace }) =>
		trace && classes[name] ? [{ name, trace, kind: classes[name] }] : [],
	);
	const points = traces.flatMap(({ trace }) => trace);
	const seconds = Math.max(1, ...points.map((point) => point.seconds));
	const most = roundUp(Math.max(1, ...points.map(({ growth }) => growth / mebibytes(1))));
	const x = (at: number) => left + (at / seconds) * plotWidth;
	const y = (value: number) => top + plotHeight * (1 - value / most);
	const path = (trace: Trace) =>
		[{ seconds: 0, growth: 0 }, ...trace]
			.map((point) => `${x(point.seconds).toFixed(1)} ${y(point.growth / mebibytes(1)).toFixed(1)}`)
			.join(' L ');
	const grid = [0, most / 2, most].map(
		(value) => `<line x1="${left}" x2="${left + plotWidth}" y1="${y(value)}" y2="${y(value)}"/>
			<text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${value} MiB</text>`,
	);
	const lines = traces.map(
		({ name, trace, kind }, row) => `<path class="${kind}" d="M ${path(trace)}"/>
			<text class="${kind}" x="${left + row * 130}" y="${height - 12}">${name}</text>`,
	);
	return `<g transform="translate(${index * width} 0)">
		<text class="title" x="${left}" y="22">Memory growth: ${title}</text>
		${grid.join('\n')}
		<text x="${left}" y="${top + plotHeight + 18}">0</text>
		<text x="${left + plotWidth}" y="${top + plotHeight + 18}" text-anchor="end">${seconds.toFixed(1)} s</text>
		${lines.join('\n')}
	</g>`;
}

/**
 * @param outcomes cases with a trace of memory
 * @returns an SVG, side by side
 */
export const plot = (
	outcomes: Outcome[],
): string => `<svg xmlns="http://www.w3.org/2000/svg" role="img"
	aria-label="Memory growth over time of this node and of the HTTP Request node"
	viewBox="0 0 ${width * outcomes.length} ${height}" width="${width * outcomes.length}" height="${height}">
	<style>${style}
	</style>
	${outcomes.map(panel).join('\n')}
</svg>
`;
