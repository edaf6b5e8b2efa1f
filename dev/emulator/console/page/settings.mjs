import { call, showUnlessOutdated } from './api.mjs';
import { byId, make, notify } from './dom.mjs';

/** @typedef {import('../../settings.mjs').Settings} Settings */

/** @type {Record<Exclude<keyof Settings, 'creditCosts'>, string>} */
const LABELS = {
	undocumentedPayload: 'Input of the six undocumented operations',
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

/** @type {Settings} */
let current;

/** The settings that are in force, for texts that state one of them. */
export const currentSettings = () => current;

/**
 * Creates a control for each setting.
 * @param {Settings} settings
 * @param {Record<string, string[]>} options the settings that are a choice from a list
 */
export function setUpSettings(settings, options) {
	for (const [name, label] of Object.entries(LABELS)) {
		const control = controlFor(valueAt(settings, name), options[name]);
		byId('setting-fields').append(field(name, label, control));
	}
	for (const [operation, cost] of Object.entries(settings.creditCosts)) {
		const label = `Credits of ${operation}`;
		byId('credit-costs').append(field(`creditCosts.${operation}`, label, controlFor(cost)));
	}
	showSettings(settings);
}

/** @param {Settings} settings */
export function showSettings(settings) {
	current = settings;
	for (const [path, control] of controls) {
		const value = valueAt(settings, path);
		if (control.type === 'checkbox') Object.assign(control, { checked: value });
		else if (control !== document.activeElement) control.value = value;
	}
}

/**
 * @param {any} settings
 * @param {string} path
 */
const valueAt = (settings, path) => path.split('.').reduce((part, name) => part[name], settings);

/**
 * @param {string} path
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement} control
 */
function field(path, label, control) {
	control.id = `setting-${path}`;
	control.addEventListener('change', () => void save(path, label, control));
	controls.set(path, control);
	return make('label', {}, ...(control.type === 'checkbox' ? [control, label] : [label, control]));
}

/**
 * @param {unknown} value
 * @param {string[]} [options]
 */
function controlFor(value, options) {
	if (options) return make('select', {}, ...options.map((option) => make('option', {}, option)));
	if (typeof value === 'boolean') return make('input', { type: 'checkbox' });
	if (typeof value === 'string') return make('input', { type: 'text' });
	return make('input', { type: 'number', min: 0, step: 1, required: true });
}

/**
 * @param {string} path
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement} control
 */
async function save(path, label, control) {
	const [name = '', part] = path.split('.');
	const value = valueOf(control);
	try {
		const changes = { [name]: part ? { [part]: value } : value };
		const response = call('PUT', '/settings', changes, label);
		await showUnlessOutdated('settings', response, showSettings);
		notify(`Saved: ${label}.`);
	} catch {
		// The reason is shown. A control with the focus would keep the refused value.
		control.blur();
		showSettings(await call('GET', '/settings'));
		control.focus();
	}
}

/** @param {HTMLInputElement | HTMLSelectElement} control */
function valueOf(control) {
	if (control instanceof HTMLSelectElement) return control.value;
	if (control.type === 'checkbox') return control.checked;
	return control.type === 'number' ? control.valueAsNumber : control.value;
}
