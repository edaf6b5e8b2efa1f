import type { Locator, Page } from 'playwright-core';

export interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** How wide GitHub shows a page's pictures, in CSS pixels. */
const width = 830;
const gap = 16;
/** CSS pixels above the first and below the last element that is shown, so that their frames are not cut. */
const edge = 12;

/** Pixels of a picture for each CSS pixel, so that it is sharp on screens of twice the resolution. */
export const pixelRatio = 2;

/** n8n's messages in the corner, which would cover a part of a picture. */
export const messages = '.el-notification';

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

export interface CaptureOptions {
	/** The first element that is shown completely; by default that of the parts which begins highest. */
	from?: Locator;
	/** The last element that is shown completely; by default that of the parts which ends lowest. */
	until?: Locator;
	/** CSS pixels from the top, instead of the last element. */
	height?: number;
	/** CSS pixels around the elements. */
	margin?: number;
	/** Rules of CSS that apply only while the picture is taken. */
	style?: string;
}

/** Rules of CSS that hide these elements. */
export const createHidingRule = (...selectors: string[]): string =>
	`${selectors.join(', ')} { visibility: hidden !important; }`;

/** Takes a picture of the smallest part of the page that has all of these elements. */
export async function capture(
	page: Page,
	parts: Locator[],
	{ from, until, height, margin = 0, style = '' }: CaptureOptions = {},
): Promise<Buffer> {
	const box = addMargin(surround(await Promise.all(parts.map(readBox))), margin);
	if (from) box.top = (await readBox(from)).top - edge;
	if (until) box.bottom = (await readBox(until)).bottom + edge;
	if (height) box.bottom = box.top + height;
	return await page.screenshot({
		animations: 'disabled',
		caret: 'hide',
		clip: toClip(box),
		style: `${createHidingRule(messages)} ${style}`,
	});
}

/** The place of an element in the page's window. */
export async function readBox(part: Locator): Promise<Box> {
	const { x, y, width: wide, height } = (await part.boundingBox())!;
	return { left: x, top: y, right: x + wide, bottom: y + height };
}

/** A picture in a larger one. */
export interface Piece {
	png: Buffer;
	caption?: string;
}

/** Width of a PNG file's picture, as its header has it, in CSS pixels. */
const readWidth = (png: Buffer) => png.readUInt32BE(16) / pixelRatio;

/**
 * Puts pictures in rows into one that is at most as wide as GitHub shows it.
 *
 * @param fillRows every row gets its full width; otherwise all have the same scale
 */
export async function compose(
	page: Page,
	rows: Piece[][],
	{ fillRows = false } = {},
): Promise<Buffer> {
	const widths = rows.map(
		(row) =>
			row.reduce((sum, { png }) => sum + readWidth(png), 0) / (width - (row.length + 1) * gap),
	);
	const computeScale = (index: number) => 1 / (fillRows ? widths[index]! : Math.max(1, ...widths));
	const formatFigure = ({ png, caption }: Piece, scale: number) => `
		<figure>
			${caption ? `<figcaption>${caption}</figcaption>` : ''}
			<img style="width: ${readWidth(png) * scale}px"
				src="data:image/png;base64,${png.toString('base64')}">
		</figure>`;
	const formatRow = (row: Piece[], index: number) =>
		`<div>${row.map((piece) => formatFigure(piece, computeScale(index))).join('')}</div>`;
	const sheet = await page.context().newPage();
	await sheet.setContent(`
		<style>
			body { margin: 0; font: 15px sans-serif; color: #333; background: #fff }
			main { display: flex; flex-direction: column; gap: ${gap}px; padding: ${gap}px; width: fit-content }
			div { display: flex; gap: ${gap}px }
			figure { margin: 0 }
			figcaption { margin-bottom: 8px; font-weight: 600 }
			img { display: block; border-radius: 8px }
		</style>
		<main>${rows.map(formatRow).join('')}</main>`);
	await sheet.setViewportSize({ width, height: 4_000 });
	await sheet.waitForFunction('[...document.images].every((image) => image.complete)');
	try {
		return await capture(sheet, [sheet.locator('main')]);
	} finally {
		await sheet.close();
	}
}
