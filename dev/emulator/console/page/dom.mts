const MESSAGE_MS = 6000;

/** @returns the element, with the properties of its kind */
export const byId = (id: string): any => document.getElementById(id);

/** @param properties such as `className` and `ariaLabel` */
export function make<Tag extends keyof HTMLElementTagNameMap>(
	tag: Tag,
	properties: Record<string, unknown>,
	...children: (Node | string)[]
) {
	const element = Object.assign(document.createElement(tag), properties);
	element.append(...children);
	return element;
}

/**
 * A cell in a table. In a narrow window, where the table has no line of headings, its label is shown.
 * @param label the column's heading
 */
export function cell(
	label: string,
	content: Node | string,
	{
		isRowHeader = false,
		...properties
	}: { className?: string; title?: string; isRowHeader?: boolean } = {},
) {
	const shownLabel = make('span', { className: 'label' }, label);
	if (!isRowHeader) return make('td', { role: 'cell', ...properties }, shownLabel, content);
	return make('th', { role: 'rowheader', ...properties }, shownLabel, content);
}

export const row = (...cells: Node[]) => make('tr', { role: 'row' }, ...cells);

/**
 * @param noun in the singular
 * @returns such as "1 call" and "1,234 calls"
 */
export function count(number: number, noun: string): string {
	return `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;
}

/** Shows a message for a few seconds; screen readers read it aloud. */
export function notify(text: string, kind: 'message' | 'problem' = 'message') {
	const message = document.createTextNode(text);
	byId(kind).replaceChildren(message);
	setTimeout(() => message.remove(), MESSAGE_MS);
}

/** @param testData whether to flag it as test data */
export function environmentBadge(environment: 'sandbox' | 'live', testData: boolean = false) {
	const name = environment === 'sandbox' ? 'Sandbox' : 'Live';
	const text = testData ? `${name}: test data` : name;
	return make('span', { className: `badge ${environment}` }, text);
}

/** @returns the time, with the date if it is not today */
export function timeOf(iso: string): HTMLElement {
	const at = new Date(iso);
	const isToday = at.toDateString() === new Date().toDateString();
	// In a narrow column, the line breaks only between the date and the time.
	const time = at.toLocaleTimeString().replaceAll(' ', '\u00a0');
	const text = isToday ? time : `${at.toLocaleDateString()} ${time}`;
	return make('time', { dateTime: iso, title: iso }, text);
}

/** @param sourceId of the element whose text the button copies */
export function setUpCopyButton(buttonId: string, sourceId: string) {
	byId(buttonId).addEventListener('click', async () => {
		const source = byId(sourceId);
		try {
			await navigator.clipboard.writeText(source.textContent);
			notify('Copied.');
		} catch {
			getSelection()?.selectAllChildren(source);
			notify('The browser does not allow copying. The text is selected: press Ctrl+C.', 'problem');
		}
	});
}
