const MESSAGE_MS = 6000;

/** @type {Map<string, ReturnType<typeof setTimeout>>} */
const timers = new Map();

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties] `class` and names with a dash become attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name === 'class' || name.includes('-')) element.setAttribute(name, String(value));
		else Object.assign(element, { [name]: value });
	}
	element.append(...children);
	return element;
}

/** @param {string} id */
export function byId(id) {
	return elementById(id, HTMLElement);
}

/**
 * @template {HTMLElement} Type
 * @param {string} id
 * @param {new () => Type} type
 * @returns {Type}
 */
export function elementById(id, type) {
	const element = document.getElementById(id);
	if (!(element instanceof type)) throw new Error(`${type.name} "${id}" not found.`);
	return element;
}

/**
 * Shows a message for a few seconds; screen readers read it aloud.
 * @param {string} text
 * @param {'message' | 'problem'} [kind]
 */
export function notify(text, kind = 'message') {
	const output = byId(kind);
	output.textContent = text;
	clearTimeout(timers.get(kind));
	timers.set(
		kind,
		setTimeout(() => output.replaceChildren(), MESSAGE_MS),
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

/**
 * @param {string} buttonId
 * @param {string} sourceId of the element whose text the button copies
 */
export function setUpCopyButton(buttonId, sourceId) {
	byId(buttonId).addEventListener('click', async () => {
		const source = byId(sourceId);
		try {
			await navigator.clipboard.writeText(source.textContent ?? '');
			notify('Copied.');
		} catch {
			getSelection()?.selectAllChildren(source);
			notify('The browser does not allow copying. The text is selected: press Ctrl+C.', 'problem');
		}
	});
}
