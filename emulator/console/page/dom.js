/**
 * Makes an element.
 * @param {string} tag
 * @param {Record<string, unknown>} [properties] set as properties; `class`, `aria-...` and other
 *   names with a dash as attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name === 'class' || name.includes('-')) element.setAttribute(name, String(value));
		else element[name] = value;
	}
	element.append(...children);
	return element;
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
	const element = document.getElementById(id);
	if (!element) throw new Error(`No element "${id}".`);
	return element;
}

const SHOWN_MS = 6000;
const timers = new Map();

/**
 * Tells the person something, on the screen and to a screen reader.
 * @param {string} text
 * @param {'message' | 'problem'} [kind]
 */
export function tell(text, kind = 'message') {
	const place = byId(kind);
	place.textContent = text;
	clearTimeout(timers.get(kind));
	timers.set(
		kind,
		setTimeout(() => place.replaceChildren(), SHOWN_MS),
	);
}

/**
 * @param {'sandbox' | 'live'} environment
 * @param {boolean} [testData] whether to flag it as test data
 */
export function environmentBadge(environment, testData = false) {
	const name = environment === 'sandbox' ? 'Sandbox' : 'Live';
	return make('span', { class: `badge ${environment}` }, testData ? `${name}: test data` : name);
}

/** @param {string} iso */
export function timeOf(iso) {
	return make('time', { dateTime: iso, title: iso }, new Date(iso).toLocaleTimeString());
}

/** Lets every button with data-copies copy the text of the element that it names. */
export function wireCopyButtons() {
	for (const button of document.querySelectorAll('[data-copies]')) {
		button.addEventListener('click', async () => {
			const source = byId(button.dataset.copies);
			try {
				await navigator.clipboard.writeText(source.textContent);
				tell('Copied.');
			} catch {
				// Without the right to the clipboard, the text is at least selected.
				getSelection().selectAllChildren(source);
				tell('The browser does not allow copying: the text is selected, press Ctrl+C.', 'problem');
			}
		});
	}
}
