import { call, showUnlessOutdated } from './api.mts';
import {
	byId,
	cell,
	count,
	environmentBadge,
	make,
	notify,
	row,
	setUpCopyButton,
	timeOf,
} from './dom.mts';
import { currentSettings } from './settings.mts';
import type { KeyRecord } from '../../keys.mts';

/** Id of the key that is shown as new. */
let newKeyId = '';

/** Adds the listeners of the key form, the new key and the question before a key is revoked. */
export function setUpKeys() {
	setUpCopyButton('new-key-copy', 'new-key-value');
	byId('all-scopes').addEventListener('click', () => selectScopes(true));
	byId('no-scopes').addEventListener('click', () => selectScopes(false));
	byId('key-form').addEventListener('submit', (event: SubmitEvent) => {
		event.preventDefault();
		void create(new FormData(byId('key-form')));
	});
	byId('new-key-done').addEventListener('click', () => {
		hideNewKey();
		byId('key-name').focus();
	});
	byId('revoke-no').addEventListener('click', () => byId('revoke').close());
}

const scopeBoxes = (): HTMLInputElement[] => [...byId('key-scopes').querySelectorAll('input')];

function selectScopes(checked: boolean) {
	for (const box of scopeBoxes()) box.checked = checked;
}

/** @param scopes that a key can have */
export function showScopes(scopes: string[]) {
	const { voiceCloneScope } = currentSettings();
	byId('scopes-hint').textContent = voiceCloneScope
		? `Each scope grants one operation. Cloning a voice needs the scope "${voiceCloneScope}", as set in Settings.`
		: 'Each scope grants one operation. Cloning a voice needs no scope here: which one the service requires is not documented.';
	if (String(scopeBoxes().map(({ value }) => value)) === String(scopes)) return;
	const labels = scopes.map((value) => {
		const box = make('input', { type: 'checkbox', name: 'scope', value, defaultChecked: true });
		return make('label', {}, box, value);
	});
	byId('key-scopes').replaceChildren(...labels);
}

async function create(form: FormData) {
	const scopes = form.getAll('scope');
	const { id, key, environment } = await call('POST', '/keys', {
		environment: form.get('environment'),
		scopes,
		name: String(form.get('name')).trim(),
	});
	newKeyId = id;
	byId('new-key-title').textContent = `Your new ${environment} key`;
	byId('new-key-value').textContent = key;
	byId('new-key').hidden = false;
	byId('new-key').focus();
	// The next key is for the sandbox again, unless someone chooses otherwise.
	byId('key-form').reset();
	await showUnlessOutdated('keys', call('GET', '/keys'), showKeys);
	const advice = 'Copy it now: it cannot be shown again.';
	notify(`Key created. ${scopes.length > 0 ? advice : withoutScopes()}`);
}

/** @returns what a key without scopes can do */
function withoutScopes(): string {
	return currentSettings().voiceCloneScope
		? 'Without scopes it can do nothing.'
		: 'Without scopes it can only clone voices.';
}

function hideNewKey() {
	newKeyId = '';
	byId('new-key').hidden = true;
	byId('new-key-value').textContent = '';
}

async function revoke({ id, prefix }: KeyRecord) {
	byId('revoke').close();
	await call('DELETE', `/keys/${id}`);
	await showUnlessOutdated('keys', call('GET', '/keys'), showKeys);
	// The button that had the focus is gone.
	byId('keys-table').focus();
	notify(`${prefix} is revoked. It stops working ${whenRefused()}.`);
}

export function showKeys({ keys }: { keys: KeyRecord[] }) {
	byId('keys-empty').hidden = keys.length > 0;
	byId('keys-table').hidden = keys.length === 0;
	if (keys.some(({ id, revokedAt }) => id === newKeyId && revokedAt)) hideNewKey();
	const focusedId = document.activeElement?.id;
	byId('keys-rows').replaceChildren(...keys.map(rowOf).reverse());
	// The rows are new: the button that had the focus is another one.
	if (focusedId) byId(focusedId)?.focus();
}

function rowOf(key: KeyRecord) {
	return row(
		cell('Key', make('code', {}, key.prefix), { isRowHeader: true }),
		cell('Name', key.name || '–', { className: 'name' }),
		cell('Environment', environmentBadge(key.environment)),
		cell('Created', timeOf(key.createdAt)),
		cell('Scopes', key.scopes.join(', ') || 'none', { className: 'scopes' }),
		cell('State', key.revokedAt ? 'Revoked' : revokeButton(key)),
	);
}

/** @returns when a key that is revoked now stops working, by the settings */
function whenRefused(): string {
	const seconds = currentSettings().revocationDelayMs / 1000;
	if (seconds === 0) return 'at once';
	return `after ${count(seconds, 'second')}`;
}

function revokeButton(key: KeyRecord) {
	const { id, prefix, name } = key;
	const ariaLabel = `Revoke ${prefix} ${name}`;
	const button = make('button', { id, className: 'outline danger', ariaLabel }, 'Revoke');
	button.addEventListener('click', () => {
		byId('revoke-text').textContent =
			`${prefix} ${name && `(${name}) `}stops working ${whenRefused()}. This cannot be undone.`;
		byId('revoke-yes').onclick = () => void revoke(key);
		byId('revoke').showModal();
	});
	return button;
}
