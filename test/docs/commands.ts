import { blocksOf, markdownFiles, type Block } from './markdown';

/** What stands in front of a block whose commands a test of its own runs. */
const MARK = /^run by (\S+)$/;

export function testOf({ mark = '' }: Block): string | undefined {
	return MARK.exec(mark)?.[1];
}

/** The commands of a block, without what explains them. */
export function commandsIn({ text }: Block): string[] {
	return text
		.split('\n')
		.map((line) => line.replace(/(^|\s)#\s.*$/, '').trim())
		.filter((line) => line !== '');
}

/** The commands of all documents' blocks that are marked as run by this test. */
export function commandsRunBy(test: string): string[] {
	return markdownFiles
		.flatMap(blocksOf)
		.filter((block) => testOf(block) === test)
		.flatMap(commandsIn);
}
