/**
 * What every icon must keep to before it is published: n8n shows one file on light and one on dark
 * backgrounds, squeezes them into squares, and serves them to browsers.
 */

/** What an icon must not contain: it could run code, or load something from elsewhere. @type {[RegExp, string][]} */
const FORBIDDEN = [
	[/<script\b/i, 'contains a script'],
	[/\son[a-z]+\s*=/i, 'contains an event handler'],
	[/<foreignObject\b/i, 'contains a foreignObject'],
	[/<image\b/i, 'contains an embedded picture'],
	[/<text\b/i, 'contains text, which depends on the fonts of the machine'],
	[/<!(DOCTYPE|ENTITY)\b/i, 'contains a document type or an entity'],
	[/<\?xml-stylesheet|@import/i, 'loads a style sheet'],
	[/\bhref\s*=\s*(["'])(?!#)/i, 'refers to something outside itself'],
	[/url\(\s*["']?(?!#)/i, 'refers to something outside itself'],
];

/**
 * @param {string} svg
 * @returns {string[]} what is wrong with this one icon, each as the end of a sentence
 */
function faultsInSvg(svg) {
	if (!/<svg\b/i.test(svg)) return ['is not an SVG'];
	const faults = FORBIDDEN.filter(([pattern]) => pattern.test(svg)).map(([, fault]) => fault);
	const viewBox = /<svg\b[^>]*\sviewBox="([^"]*)"/i
		.exec(svg)?.[1]
		?.trim()
		.split(/[\s,]+/);
	if (viewBox?.length !== 4) faults.push('has no viewBox of four numbers');
	else if (viewBox[2] !== viewBox[3] || !(Number(viewBox[2]) > 0)) {
		faults.push(`is not square: its viewBox is ${viewBox[2]} by ${viewBox[3]}`);
	}
	return faults;
}

/**
 * @param {Map<string, string>} icons the text of each icon by its file name
 * @returns {string[]} one sentence for each fault
 */
function findIconFaults(icons) {
	const sentences = [];
	for (const [name, svg] of icons) {
		for (const fault of new Set(faultsInSvg(svg))) sentences.push(`icons/${name} ${fault}.`);
		const twin = name.endsWith('.dark.svg')
			? name.replace(/\.dark\.svg$/, '.svg')
			: name.replace(/\.svg$/, '.dark.svg');
		if (!icons.has(twin)) {
			sentences.push(`icons/${name} has no icons/${twin}: n8n needs a light and a dark version.`);
		}
	}
	if (icons.size === 0) sentences.push('There is no icon in icons/.');
	return sentences;
}

module.exports = { findIconFaults };
