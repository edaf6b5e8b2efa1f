import type { Settings } from '../../settings.mts';
import type { SettingControls } from '../../state.mts';
import { call } from './api.mts';
import { create, getById, notify } from './dom.mts';

type Control = HTMLInputElement | HTMLSelectElement;

type Value = string | number | boolean;

const labels: Record<Exclude<keyof Settings, 'creditCosts'>, string> = {
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

/** What the values of the choices do. */
const explanations: Record<string, string> = {
	wav: 'wav (file)',
	pcm: 'pcm (raw samples, without a header)',
	auto: 'auto (espeak, else tones)',
	espeak: 'espeak (spoken words)',
	tones: 'tones (a tone for each syllable)',
	refuse: 'refuse (404)',
	accept: 'accept (any voice ID gets a voice)',
	either: 'either (audio or text)',
	audio: 'audio (a form with a file)',
	text: 'text (JSON)',
};

/** Controls by the path of their setting, such as `latencyMs` and `creditCosts.amd`. */
const controls: Map<string, Control> = new Map();

let current: Settings;

/** @returns the settings that are in force, for texts that state one of them */
export const getSettings = (): Settings => current;

export function showSettings({ settings, options }: SettingControls) {
	current = settings;
	if (controls.size === 0) createFields(options);
	for (const [path, control] of controls) {
		const mayBeTyped = control === document.activeElement && control.type !== 'checkbox';
		if (!mayBeTyped) showSetting(path, control);
	}
}

function showSetting(path: string, control: Control) {
	const value = readSetting(path);
	if (control.type === 'checkbox') Object.assign(control, { checked: value });
	else control.value = String(value);
}

function createFields(options: SettingControls['options']) {
	const fields = Object.entries(labels).map(([name, label]) =>
		createField(name, label, options[name]),
	);
	getById('setting-fields').append(...fields);
	const costs = Object.keys(current.creditCosts).map((operation) =>
		createField(`creditCosts.${operation}`, `Credits of ${operation}`),
	);
	getById('credit-costs').append(...costs);
}

function readSetting(path: string): Value {
	const [name = '', operation] = path.split('.');
	const values: object = operation === undefined ? current : current.creditCosts;
	return (values as Record<string, Value>)[operation ?? name] ?? '';
}

function createField(path: string, label: string, options?: readonly string[]) {
	const control = createControl(readSetting(path), options);
	control.addEventListener('change', async () => await save(path, label, control));
	controls.set(path, control);
	if (control.type === 'checkbox') return create('label', {}, control, label);
	return create('label', {}, label, control);
}

/** @param options the values to choose from; undefined if the setting is not a choice from a list */
function createControl(value: Value, options?: readonly string[]): Control {
	if (options) {
		const choices = options.map((value) =>
			create('option', { value }, explanations[value] ?? value),
		);
		return create('select', {}, ...choices);
	}
	if (typeof value === 'boolean') return create('input', { type: 'checkbox' });
	if (typeof value === 'string') return create('input', { type: 'text' });
	return create('input', { type: 'number', min: 0, step: 1, required: true });
}

async function save(path: string, label: string, control: Control) {
	const [name = '', part] = path.split('.');
	const value = readControl(control);
	try {
		await call('PUT', '/settings', { [name]: part ? { [part]: value } : value }, label);
		notify(`Saved: ${label}.`);
	} catch {
		// `call` has shown the reason.
		showSetting(path, control);
	}
}

function readControl(control: Control) {
	if (control instanceof HTMLSelectElement) return control.value;
	if (control.type === 'checkbox') return control.checked;
	return control.type === 'number' ? control.valueAsNumber : control.value;
}
