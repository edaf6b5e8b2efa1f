/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import path from 'node:path';
import { read, trackedFiles } from '../package/repository';

/** A fenced block of a document. */
export interface Block {
	/** File and line. */
	place: string;
	language: string;
	text: string;
	/** The headings above it, the last one first. */
	headings: string[];
	/** The comment directly above it. */
	mark: string | undefined;
}

export interface Link {
	/** File and line. */
	place: string;
	file: string;
	target: string;
	isImage: boolean;
}

const FENCE = /^(\s*)(`{3,}|~{3,})\s*([\w-]*)\s*$/;

/** The test that runs the commands of a block, named in the comment above it. */
export function testOf({ mark = '' }: Block): string | undefined {
	return /^run by (\S+)$/.exec(mark)?.[1];
}

/** The commands of all blocks that this test runs. */
export function commandsRunBy(test: string): string[] {
	const marked = markdownFiles.flatMap(blocksOf).filter((block) => testOf(block) === test);
	return marked.flatMap(({ text }) => text.trim().split('\n'));
}

/** The Markdown files of the repository. */
export const markdownFiles = trackedFiles.filter((file) => file.endsWith('.md'));

interface Line {
	text: string;
	number: number;
	/** The block that it belongs to, or begins. */
	block: Block | undefined;
}

/** Every line of a document, with the block it belongs to. */
function* linesOf(file: string): Generator<Line> {
	const headings: string[] = [];
	let block: Block | undefined;
	let fence = '';
	let comment: string | undefined;
	for (const [index, text] of read(file).split('\n').entries()) {
		const [, , marks = '', language = ''] = FENCE.exec(text) ?? [];
		const number = index + 1;
		if (block === undefined && marks !== '') {
			const [place, above] = [`${file}:${number}`, [...headings].reverse()];
			block = { place, language, text: '', headings: above, mark: comment };
			fence = marks;
			yield { text: '', number, block };
		} else if (block !== undefined && marks.startsWith(fence) && language === '') {
			block = undefined;
		} else {
			if (block !== undefined) block.text += `${text}\n`;
			yield { text, number, block };
		}
		if (block !== undefined) continue;
		const [, level, heading] = /^(#+) (.*)$/.exec(text) ?? [];
		if (level !== undefined) headings.splice(level.length - 1, Infinity, heading ?? '');
		if (text.trim() !== '') comment = /^\s*<!-- (.*) -->\s*$/.exec(text)?.[1];
	}
}

export function blocksOf(file: string): Block[] {
	return [...new Set([...linesOf(file)].flatMap(({ block }) => block ?? []))];
}

/** The lines outside of blocks, without text in backticks. */
function proseOf(file: string): Array<{ text: string; number: number }> {
	return [...linesOf(file)]
		.filter(({ block }) => block === undefined)
		.map(({ text, number }) => ({ text: text.replace(/`[^`]*`/g, '``'), number }));
}

export function linksOf(file: string): Link[] {
	return proseOf(file).flatMap(({ text, number }) =>
		[...text.matchAll(/(!?)\[(?:[^\]]|\]\()*?\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)].map(
			([, bang, target = '']) => ({
				place: `${file}:${number}`,
				file,
				target,
				isImage: bang === '!',
			}),
		),
	);
}

/** The file that a link leads to, from the repository's root. */
export function targetFile({ file, target }: Link): string {
	const [name = ''] = target.split('#');
	return name === '' ? file : path.normalize(path.join(path.dirname(file), decodeURI(name)));
}

/** The anchors that GitHub gives the headings of a document. */
export function anchorsOf(file: string): Set<string> {
	const seen = new Map<string, number>();
	const headings = [...linesOf(file)].flatMap(({ text, block }) =>
		block === undefined ? (/^#+ (.*)$/.exec(text)?.[1] ?? []) : [],
	);
	return new Set(
		headings.map((heading) => {
			const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
			const slug = text.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
			const times = seen.get(slug) ?? 0;
			seen.set(slug, times + 1);
			return times === 0 ? slug : `${slug}-${times}`;
		}),
	);
}
