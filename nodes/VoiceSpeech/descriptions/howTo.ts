const page =
	'https://github.com/n8n-nodes-voice-speech/n8n-nodes-voice-speech/blob/main/docs/how-to.md';

/** A link to a heading of docs/how-to.md, for a notice, whose text n8n's editor shows as HTML. */
export function linkToHowTo(heading: string, words: string): string {
	return `<a href="${page}#${heading}" target="_blank">${words}</a>`;
}
