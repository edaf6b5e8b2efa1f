const MESSAGE_MS = 6000;

/**
 * @param {string} id
 * @returns {any} the element, with the properties of its kind
 */
export const byId = (id) => document.getElementById(id);

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} properties such as `className` and `ariaLabel`
 * @param {...(Node | string)} children
 */
export function make(tag, properties, ...children) {
	const element = Object.assign(document.createElement(tag), properties);
	element.append(...children);
	return element;
}

/**
 * A cell in a table. In a narrow window, where the table has no line of headings, its label is shown.
 * @param {string} label the column's heading
 * @param {Node | string} content
 * @param {{className?: string, title?: string, isRowHeader?: boolean}} [options]
 */
export function cell(label, content, { isRowHeader = false, ...properties } = {}) {
	const shownLabel = make('span', { className: 'label' }, label);
	if (!isRowHeader) return make('td', { role: 'cell', ...properties }, shownLabel, content);
	return make('th', { role: 'rowheader', ...properties }, shownLabel, content);
}

/** @param {...Node} cells */
export const row = (...cells) => make('tr', { role: 'row' }, ...cells);

/**
 * @param {number} number
 * @param {string} noun in the singular
 * @returns {string} such as "1 call" and "1,234 calls"
 */
export function count(number, noun) {
	return `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;
}

/**
 * Shows a message for a few seconds; screen readers read it aloud.
 * @param {string} text
 * @param {'message' | 'problem'} [kind]
 */
export function notify(text, kind = 'message') {
	const message = document.createTextNode(text);
	byId(kind).replaceChildren(message);
	setTimeout(() => message.remove(), MESSAGE_MS);
}

/**
 * @param {'sandbox' | 'live'} environment
 * @param {boolean} [testData] whether to flag it as test data
 */
export function environmentBadge(environment, testData = false) {
	const name = environment === 'sandbox' ? 'Sandbox' : 'Live';
	const text = testData ? `${name}: test data` : name;
	return make('span', { className: `badge ${environment}` }, text);
}

/**
 * @param {string} iso
 * @returns {HTMLElement} the time, with the date if it is not today
 */
export function timeOf(iso) {
	const at = new Date(iso);
	const isToday = at.toDateString() === new Date().toDateString();
	// In a narrow column, the line breaks only between the date and the time.
	const time = at.toLocaleTimeString().replaceAll(' ', '\u00a0');
	const text = isToday ? time : `${at.toLocaleDateString()} ${time}`;
	return make('time', { dateTime: iso, title: iso }, text);
}

/**
 * @param {string} buttonId
 * @param {string} sourceId of the element whose text the button copies
 */
export function setUpCopyButton(buttonId, sourceId) {
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
