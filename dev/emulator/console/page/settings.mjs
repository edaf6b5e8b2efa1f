import { call } from './api.mjs';
import { byId, make, notify } from './dom.mjs';

/** @typedef {import('../../settings.mjs').Settings} Settings */

/** Labels by setting, in the groups of the page. */
const GROUPS = {
	'Refusals and errors': {
		errorShape: 'Shape of error bodies',
		checkFirst: 'Checked first',
		retryAfter: 'Format of Retry-After',
		retryAfterSeconds: 'Retry-After in seconds',
		rateLimitPerSecond: 'Calls per second and key (0: no limit)',
		maxFileBytes: 'Largest file in bytes (0: no limit)',
		maxTextCharacters: 'Longest text in characters (0: no limit)',
		refuseUploads: 'When a refused upload gets its response',
		languageRequired: 'Speech to text requires a language',
		undocumentedPayload: 'Payload of the six undocumented operations',
	},
	'Responses, speech and voices': {
		extraResponseFields: 'Responses have undocumented fields',
		ttsEncoding: 'Encoding of speech',
		ttsEngine: 'Speech engine',
		voiceIdRequired: 'Text to speech requires a voice',
		unknownVoice: 'Unknown voices',
		cloneStatus: 'Status of a successful clone',
		voiceCloneScope: 'Scope that cloning needs (empty: none)',
	},
	Times: {
		latencyMs: 'Delay of responses (ms)',
		revocationDelayMs: 'Time until a revoked key is refused (ms)',
	},
};
/**
 * Controls by the path of their setting, such as `latencyMs` and `creditCosts.amd`.
 * @type {Map<string, HTMLInputElement | HTMLSelectElement>}
 */
const controls = new Map();

/**
 * Creates a control for each setting.
 * @param {Settings} settings
 * @param {Record<string, unknown[]>} options the settings that are a choice from a list
 */
export function setUpSettings(settings, options) {
	const values = new Map(Object.entries(settings));
	const groups = Object.entries(GROUPS).map(([title, labels]) => {
		const fields = Object.entries(labels).map(([name, label]) =>
			field(name, label, values.get(name), options[name]),
		);
		return make('fieldset', {}, make('legend', {}, title), gridOf(fields));
	});
	const details = [
		detailsOf('Credits per call', 'creditCosts', settings.creditCosts),
		detailsOf('Status codes of refusals', 'statusCodes', settings.statusCodes),
	];
	byId('settings').addEventListener('submit', (event) => event.preventDefault());
	byId('settings').append(...groups, ...details);
	showSettings(settings);
}

/** @param {Settings} settings */
export function showSettings(settings) {
	for (const [path, control] of controls) {
		/** @type {any} */
		const value = path.split('.').reduce((part, name) => part[name], /** @type {any} */ (settings));
		if (control.type === 'checkbox') Object.assign(control, { checked: value });
		else if (control !== document.activeElement) control.value = String(value);
	}
}

/**
 * @param {string} title
 * @param {string} name of the setting
 * @param {Record<string, number>} parts
 */
function detailsOf(title, name, parts) {
	const fields = Object.entries(parts).map(([part, value]) =>
		field(`${name}.${part}`, wordsOf(part), value),
	);
	return make('details', {}, make('summary', {}, title), gridOf(fields));
}

/** @param {Node[]} fields */
function gridOf(fields) {
	return make('div', { class: 'fields' }, ...fields);
}

/**
 * @param {string} path
 * @param {string} label
 * @param {unknown} value
 * @param {unknown[]} [options]
 */
function field(path, label, value, options) {
	const control = controlFor(value, options);
	control.id = `setting-${path}`;
	control.addEventListener('change', () => void save(path, label, control, options));
	controls.set(path, control);
	return control.type === 'checkbox'
		? make('label', {}, control, label)
		: make('label', {}, label, control);
}

/**
 * @param {unknown} value
 * @param {unknown[]} [options]
 */
function controlFor(value, options) {
	if (options) {
		return make('select', {}, ...options.map((option) => make('option', {}, String(option))));
	}
	if (typeof value === 'boolean') return make('input', { type: 'checkbox' });
	if (typeof value === 'string') return make('input', { type: 'text' });
	return make('input', { type: 'number', min: 0, step: 1, required: true });
}

/**
 * @param {string} path
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @param {unknown[]} [options]
 */
async function save(path, label, control, options) {
	const [name = '', part] = path.split('.');
	const value = options
		? options.find((option) => String(option) === control.value)
		: valueOf(/** @type {HTMLInputElement} */ (control));
	try {
		const changes = { [name]: part ? { [part]: value } : value };
		showSettings(await call('PUT', '/settings', changes, label));
		notify(`Saved: ${label}.`);
	} catch {
		// The reason is shown. A control with the focus would keep the refused value.
		control.blur();
		showSettings(await call('GET', '/settings'));
		control.focus();
	}
}

/** @param {HTMLInputElement} input */
function valueOf(input) {
	if (input.type === 'checkbox') return input.checked;
	return input.type === 'number' ? input.valueAsNumber : input.value;
}

/** @param {string} name such as `badField` */
function wordsOf(name) {
	const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	return words.charAt(0).toUpperCase() + words.slice(1);
}
