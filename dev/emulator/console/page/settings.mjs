import { call } from './api.mjs';
import { byId, make, notify } from './dom.mjs';

/** @typedef {import('../../settings.mjs').Settings} Settings */

/** @type {Record<Exclude<keyof Settings, 'creditCosts'>, string>} */
const LABELS = {
	undocumentedPayload: 'Payload of the six undocumented operations',
	extraResponseFields: 'Responses have undocumented fields',
	voiceCloneScope: 'Scope that cloning needs (empty: none)',
	unknownVoice: 'Unknown voices',
	ttsEngine: 'Speech engine',
	ttsEncoding: 'Encoding of speech',
	maxTextCharacters: 'Longest text in characters (0: no limit)',
	rateLimitPerSecond: 'Calls per second and key (0: no limit)',
	retryAfterSeconds: 'Retry-After in seconds',
	latencyMs: 'Delay of responses (ms)',
	revocationDelayMs: 'Time until a revoked key is refused (ms)',
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
	const fields = Object.entries(LABELS).map(([name, label]) =>
		field(name, label, values.get(name), options[name]),
	);
	const costs = Object.entries(settings.creditCosts).map(([operation, cost]) =>
		field(`creditCosts.${operation}`, `Credits of ${operation}`, cost),
	);
	const form = byId('settings');
	form.addEventListener('submit', (event) => event.preventDefault());
	form.append(
		make('div', { class: 'fields' }, ...fields),
		make(
			'details',
			{},
			make('summary', {}, 'Credits per call'),
			make('div', { class: 'fields' }, ...costs),
		),
	);
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
