const entities: Record<string, string> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
};

function decodeEntities(text: string): string {
	return text.replace(/&(?:#(\d{1,6})|(\w{2,6}));/g, (entity, code?: string, name = '') =>
		code === undefined ? (entities[name] ?? entity) : String.fromCodePoint(Number(code)),
	);
}

/** How much of a page is searched, in characters: its heading comes early. */
const maxLength = 8192;

const withoutTags = (html: string) => html.replace(/<[^>]*>/g, ' ').trim();

/** The text of the first of these elements that has any. */
function firstText(html: string, tags: string[]): string {
	const texts = tags.map((tag) => {
		const element = new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}\\s*>`, 'i').exec(html);
		return withoutTags(element?.[1] ?? '');
	});
	return texts.find((text) => text !== '') ?? '';
}

/** The words of an HTML or XML page in short: its heading or title and its first paragraph, else all of its text. */
export function sentenceOfHtml(html: string): string {
	const visible = html
		.slice(0, maxLength)
		.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ');
	const texts = [firstText(visible, ['message', 'h1', 'title']), firstText(visible, ['p'])];
	const sentence = texts.filter((text) => text !== '').join(': ');
	return decodeEntities(sentence || withoutTags(visible));
}
