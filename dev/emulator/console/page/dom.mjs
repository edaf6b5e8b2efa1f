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
 * @param {Node | string} content of a cell in a table
 * @param {string} [className]
 */
export const cell = (content, className = '') => make('td', { className }, content);

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

/** @param {string} iso */
export function timeOf(iso) {
	return make('time', { dateTime: iso, title: iso }, new Date(iso).toLocaleTimeString());
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
