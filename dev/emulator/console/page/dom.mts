import type { Environment } from '../../keys.mts';

const messageMs = 6000;

/** @returns the element of index.html, whose kind the caller states and nothing checks */
export function getById<Kind extends HTMLElement>(id: string): Kind {
	return document.getElementById(id) as Kind;
}

/** @param properties such as `className` and `ariaLabel` */
export function create<Tag extends keyof HTMLElementTagNameMap>(
	tag: Tag,
	properties: Record<string, unknown>,
	...children: Array<Node | string>
) {
	const element = Object.assign(document.createElement(tag), properties);
	element.append(...children);
	return element;
}

/**
 * Creates a cell of a table. Its label is shown in a narrow window, where the table has no line of headings.
 *
 * @param label the column's heading
 */
export function createCell(
	label: string,
	content: Node | string,
	{ tag = 'td', ...properties }: { tag?: 'td' | 'th'; className?: string; title?: string } = {},
) {
	const role = tag === 'th' ? 'rowheader' : 'cell';
	const shownLabel = create('span', { className: 'label' }, label);
	return create(tag, { role, ...properties }, shownLabel, content);
}

export const createRow = (...cells: Node[]) => create('tr', { role: 'row' }, ...cells);

/** @param testData whether to flag it as test data */
export function createBadge(environment: Environment, testData = false) {
	const name = environment === 'sandbox' ? 'Sandbox' : 'Live';
	const text = testData ? `${name}: test data` : name;
	return create('span', { className: `badge ${environment}` }, text);
}

/** @returns date and time */
export function createTime(iso: string): HTMLElement {
	const at = new Date(iso);
	// In a narrow column, the line breaks only between the date and the time.
	const time = at.toLocaleTimeString().replaceAll(' ', '\u00a0');
	return create('time', { dateTime: iso, title: iso }, `${at.toLocaleDateString()} ${time}`);
}

/** A question that a dialog asks before an action that cannot be undone. */
interface Question {
	title: string;
	text: string;
	/** The button that keeps everything as it is. */
	no: string;
	/** The button that starts the action. */
	yes: string;
	action: () => Promise<void>;
}

export function confirmAction({ title, text, no, yes, action }: Question) {
	getById('confirm-title').textContent = title;
	getById('confirm-text').textContent = text;
	getById('confirm-no').textContent = no;
	getById('confirm-yes').textContent = yes;
	getById('confirm-yes').onclick = action;
	getById<HTMLDialogElement>('confirm').showModal();
}

/**
 * @param noun in the singular
 * @returns such as "1 call" and "1,234 calls"
 */
export function formatCount(number: number, noun: string): string {
	return `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;
}

/**
 * Shows a message for a few seconds; screen readers read it aloud.
 *
 * @param kind `message` and `problem`: what an action of the user led to. `news`: what happened without the user, which
 * replaces neither of them.
 */
export function notify(text: string, kind: 'message' | 'problem' | 'news' = 'message') {
	const message = document.createTextNode(text);
	getById(kind).replaceChildren(message);
	setTimeout(() => message.remove(), messageMs);
}

/** @param sourceId of the element whose text the button copies */
export function setUpCopyButton(buttonId: string, sourceId: string) {
	getById(buttonId).addEventListener('click', async () => {
		const source = getById(sourceId);
		try {
			await navigator.clipboard.writeText(source.textContent ?? '');
			notify('Copied.');
		} catch {
			getSelection()?.selectAllChildren(source);
			notify('The browser does not allow copying. The text is selected: press Ctrl+C.', 'problem');
		}
	});
}
