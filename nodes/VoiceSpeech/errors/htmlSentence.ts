const entities: Partial<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
};

function decodeEntities(text: string): string {
	return text.replace(
		/&(?:#(\d{1,6})|(\w{2,6}));/g,
		(entity, code: string | undefined, name: string) =>
			code === undefined ? (entities[name] ?? entity) : String.fromCodePoint(Number(code)),
	);
}

/** How much of a page is looked at, in characters: its heading stands early. */
const looked = 8192;

/** What stands in the first such element that has words, without markup. */
function firstText(html: string, tags: string[]): string {
	return (
		tags
			.map(
				(tag) => new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}\\s*>`, 'i').exec(html)?.[1] ?? '',
			)
			.map((text) => text.replace(/<[^>]*>/g, ' ').trim())
			.find((text) => text !== '') ?? ''
	);
}

/** What a page, or XML, says in short: its heading or title and its first paragraph, else its words. */
export function sentenceOfHtml(html: string): string {
	const visible = html
		.slice(0, looked)
		.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ');
	const heading = firstText(visible, ['message', 'h1', 'title']);
	const said = [heading, firstText(visible, ['p'])].filter((text) => text !== '').join(': ');
	return decodeEntities(said || visible.replace(/<[^>]*>/g, ' '));
}
