import { call, showUnlessOutdated } from './api.mts';
import { byId, make, notify } from './dom.mts';
import type { Settings } from '../../settings.mts';

const LABELS: Record<Exclude<keyof Settings, 'creditCosts'>, string> = {
	undocumentedPayload: 'Input of the undocumented operations',
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

/** Controls by the path of their setting, such as `latencyMs` and `creditCosts.amd`. */
const controls: Map<string, HTMLInputElement | HTMLSelectElement> = new Map();

let current: Settings;

/** The settings that are in force, for texts that state one of them. */
export const currentSettings = () => current;

/**
 * Creates a control for each setting.
 * @param options the settings that are a choice from a list
 */
export function setUpSettings(settings: Settings, options: Record<string, string[]>) {
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

export function showSettings(settings: Settings) {
	current = settings;
	for (const [path, control] of controls) {
		const value = valueAt(settings, path);
		if (control.type === 'checkbox') Object.assign(control, { checked: value });
		else if (control !== document.activeElement) control.value = value;
	}
}

const valueAt = (settings: any, path: string) =>
	path.split('.').reduce((part, name) => part[name], settings);

function field(path: string, label: string, control: HTMLInputElement | HTMLSelectElement) {
	control.id = `setting-${path}`;
	control.addEventListener('change', () => void save(path, label, control));
	controls.set(path, control);
	return make('label', {}, ...(control.type === 'checkbox' ? [control, label] : [label, control]));
}

function controlFor(value: unknown, options?: string[]) {
	if (options) return make('select', {}, ...options.map((option) => make('option', {}, option)));
	if (typeof value === 'boolean') return make('input', { type: 'checkbox' });
	if (typeof value === 'string') return make('input', { type: 'text' });
	return make('input', { type: 'number', min: 0, step: 1, required: true });
}

async function save(path: string, label: string, control: HTMLInputElement | HTMLSelectElement) {
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

function valueOf(control: HTMLInputElement | HTMLSelectElement) {
	if (control instanceof HTMLSelectElement) return control.value;
	if (control.type === 'checkbox') return control.checked;
	return control.type === 'number' ? control.valueAsNumber : control.value;
}
