import { call } from './api.js';
import { byId, make, tell } from './dom.js';

/** Labels by setting, in groups as they are shown. */
const GROUPS = {
	'Refusals and errors': {
		errorShape: 'Shape of the error body',
		checkFirst: 'Checked first',
		retryAfter: 'Retry-After written as',
		retryAfterSeconds: 'Retry-After in seconds',
		rateLimitPerSecond: 'Calls per second and key (0: no limit)',
		maxFileBytes: 'Largest file in bytes (0: any)',
		maxTextCharacters: 'Longest text in characters (0: any)',
		refuseUploads: 'Refused uploads are answered',
		languageRequired: 'Speech to text requires a language',
		undocumentedPayload: 'Payload of the six undocumented operations',
	},
	'Speech and voices': {
		ttsEncoding: 'Encoding of spoken audio',
		ttsEngine: 'Speech engine',
		voiceIdRequired: 'Text to speech requires a voice',
		unknownVoice: 'Unknown voices',
		cloneStatus: 'Status of a successful clone',
		voiceCloneScope: 'Scope that cloning needs',
	},
	Times: {
		latencyMs: 'Answers are delayed by (ms)',
		revocationDelayMs: 'Revoking takes effect after (ms)',
	},
};
const PARTS = { creditCosts: 'Credits per call', statusCodes: 'Status codes of refusals' };

/** Controls by the path of their setting, such as `latencyMs` and `creditCosts.amd`. */
const controls = new Map();

/**
 * Draws a control for each setting.
 * @param {any} settings
 * @param {Record<string, unknown[]>} options the settings that have a closed list of values
 */
export function setUpSettings(settings, options) {
	const groups = Object.entries(GROUPS).map(([title, labels]) =>
		make(
			'fieldset',
			{},
			make('legend', {}, title),
			gridOf(
				Object.entries(labels).map(([name, label]) =>
					field(name, label, settings[name], options[name]),
				),
			),
		),
	);
	const details = Object.entries(PARTS).map(([name, title]) =>
		make(
			'details',
			{},
			make('summary', {}, title),
			gridOf(
				Object.entries(settings[name]).map(([part, value]) =>
					field(`${name}.${part}`, wordsOf(part), value),
				),
			),
		),
	);
	byId('settings').addEventListener('submit', (event) => event.preventDefault());
	byId('settings').append(...groups, ...details);
	showSettings(settings);
}

/** @param {any} settings */
export function showSettings(settings) {
	for (const [path, control] of controls) {
		const value = path.split('.').reduce((part, name) => part[name], settings);
		if (control.type === 'checkbox') control.checked = value;
		else if (control !== document.activeElement) control.value = String(value);
	}
}

/** @param {Node[]} fields */
function gridOf(fields) {
	return make('div', { class: 'settings-grid' }, ...fields);
}

/**
 * @param {string} path
 * @param {string} label
 * @param {unknown} value
 * @param {unknown[]} [options]
 */
function field(path, label, value, options) {
	const id = `setting-${path}`;
	const control = options
		? make('select', { id }, ...options.map(optionOf))
		: typeof value === 'boolean'
			? make('input', { id, type: 'checkbox' })
			: make('input', { id, type: 'number', min: 0, step: 1, required: true });
	control.addEventListener('change', () => void save(path, label, control, options));
	controls.set(path, control);
	return control.type === 'checkbox'
		? make('div', { class: 'check' }, make('label', {}, control, label))
		: make('div', { class: 'field' }, make('label', { htmlFor: id }, label), control);
}

/** @param {unknown} value */
function optionOf(value) {
	return make('option', { value: String(value) }, value === '' ? 'none' : String(value));
}

/**
 * @param {string} path
 * @param {string} label
 * @param {any} control
 * @param {unknown[]} [options]
 */
async function save(path, label, control, options) {
	const value =
		control.type === 'checkbox'
			? control.checked
			: options
				? options.find((option) => String(option) === control.value)
				: control.valueAsNumber;
	const [name, part] = path.split('.');
	try {
		showSettings(await call('PUT', '/settings', { [name]: part ? { [part]: value } : value }));
		tell(`Saved: ${label}.`);
	} catch {
		// The reason was told; the control goes back to what still holds.
		control.blur();
		showSettings(await call('GET', '/settings'));
		control.focus();
	}
}

/** @param {string} name such as `badField` */
function wordsOf(name) {
	const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	return words[0].toUpperCase() + words.slice(1);
}
