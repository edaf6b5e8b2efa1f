/** @returns a table with blank lines around it, which prettier aligns */
export function createMarkdownTable(head: string[], rows: string[][]): string {
	const lines = [head, head.map(() => '---'), ...rows].map(
		(cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
	);
	return ['', ...lines, ''].join('\n');
}
