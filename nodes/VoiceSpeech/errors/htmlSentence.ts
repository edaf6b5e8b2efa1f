const entities: Partial<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
};

function decodeEntities(text: string): string {
	return text.replace(/&(?:#(\d{1,6})|(\w{2,6}));/g, (entity, code?: string, name?: string) =>
		code === undefined ? (entities[name ?? ''] ?? entity) : String.fromCodePoint(Number(code)),
	);
}

/** How much of a page is looked at, in characters: its heading stands early. */
const looked = 8192;

/** What a page, or XML, says in short: its heading or title, else its words. */
export function sentenceOfHtml(html: string): string {
	const visible = html
		.slice(0, looked)
		.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ');
	const heading = ['message', 'h1', 'title']
		.map((tag) => new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}\\s*>`, 'i').exec(visible)?.[1])
		.find((text) => text !== undefined && text.trim() !== '');
	return decodeEntities((heading ?? visible).replace(/<[^>]*>/g, ' '));
}
