import MarkdownIt from 'markdown-it';
import path from 'node:path';

import { readRepositoryFile, trackedFiles } from './repository.mts';

/** A fenced block of a document. */
export interface Block {
	/** File and line. */
	place: string;
	language: string;
	text: string;
	/** The heading above the block. */
	heading: string;
}

export interface Link {
	file: string;
	target: string;
	/** The description of an image; undefined for other links. */
	image: string | undefined;
}

/** The Markdown files of the repository. */
export const markdownFiles = trackedFiles.filter((file) => file.endsWith('.md'));

const parser = new MarkdownIt({ html: true });
const parseTokens = (file: string) => parser.parse(readRepositoryFile(file), {});

export function listBlocks(file: string): Block[] {
	let heading = '';
	return parseTokens(file).flatMap(({ type, info, content, map }, index, tokens) => {
		if (type === 'heading_open') heading = tokens[index + 1]!.content;
		if (type !== 'fence') return [];
		return [{ place: `${file}:${map![0] + 1}`, language: info, text: content, heading }];
	});
}

export function listLinks(file: string): Link[] {
	const tokens = parseTokens(file);
	const inline = tokens.flatMap(({ children }) => children ?? []);
	const links = inline.flatMap((token) => {
		const target = token.attrGet('href') ?? token.attrGet('src');
		const image = token.type === 'image' ? token.content : undefined;
		return target === null ? [] : [{ file, target: decodeURI(target), image }];
	});
	// Markdown cannot set the width of an image, HTML can.
	const html = tokens.filter(({ type }) => type === 'html_block').map(({ content }) => content);
	const images = html.join('').matchAll(/<img src="([^"]+)" alt="([^"]+)" width="\d+">/g);
	const sized = [...images].map(([, target = '', image]) => ({ file, target, image }));
	return [...links, ...sized];
}

/** The file that a link leads to, from the repository's root. */
export function findTargetFile({ file, target }: Link): string {
	const [name = ''] = target.split('#');
	return name === '' ? file : path.normalize(path.join(path.dirname(file), name));
}

/** The anchors that GitHub gives the headings of a document, if each heading is different. */
export function listAnchors(file: string): Set<string> {
	const headings = parseTokens(file).filter(
		(_, index, all) => all[index - 1]?.type === 'heading_open',
	);
	const anchors = headings.map(({ children }) => {
		const text = children!.map(({ content }) => content).join('');
		return text
			.toLowerCase()
			.replace(/[^\p{L}\p{N}_ -]/gu, '')
			.replaceAll(' ', '-');
	});
	return new Set(anchors);
}
