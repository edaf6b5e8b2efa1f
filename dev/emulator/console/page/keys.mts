import type { CreatedKey, KeyRecord } from '../../keys.mts';
import { call } from './api.mts';
import {
	confirmAction,
	create,
	createBadge,
	createCell,
	createRow,
	createTime,
	formatCount,
	getById,
	notify,
	setUpCopyButton,
} from './dom.mts';
import { getSettings } from './settings.mts';

const keyForm = getById<HTMLFormElement>('key-form');

/** Adds the listeners of the key form and of the new key. */
export function setUpKeys() {
	setUpCopyButton('new-key-copy', 'new-key-value');
	getById('all-scopes').addEventListener('click', () => selectScopes(true));
	getById('no-scopes').addEventListener('click', () => selectScopes(false));
	keyForm.addEventListener('submit', async (event) => {
		event.preventDefault();
		await createKey(new FormData(keyForm));
	});
	getById('new-key-done').addEventListener('click', () => {
		getById('new-key').hidden = true;
		getById('new-key-value').textContent = '';
		getById('key-name').focus();
	});
}

const findScopeBoxes = () => [...getById('key-scopes').querySelectorAll('input')];

function selectScopes(checked: boolean) {
	for (const box of findScopeBoxes()) box.checked = checked;
}

/** @param scopes that a key can have */
export function showScopes(scopes: string[]) {
	const { voiceCloneScope } = getSettings();
	getById('scopes-hint').textContent = voiceCloneScope
		? `Each scope grants one operation. Cloning a voice needs the scope "${voiceCloneScope}", as set in Settings.`
		: 'Each scope grants one operation. Cloning a voice needs no scope here: which one the service requires is not documented.';
	const shown = findScopeBoxes().map(({ value }) => value);
	// If the scopes are the same, the user's selection of them stays as it is.
	if (String(shown) === String(scopes)) return;
	const labels = scopes.map((value) => {
		const box = create('input', { type: 'checkbox', name: 'scope', value, defaultChecked: true });
		return create('label', {}, box, value);
	});
	getById('key-scopes').replaceChildren(...labels);
}

async function createKey(form: FormData) {
	const scopes = form.getAll('scope');
	const name = form.get('name');
	const { key, environment } = await call<CreatedKey>('POST', '/keys', {
		environment: form.get('environment'),
		scopes,
		name: typeof name === 'string' ? name.trim() : '',
	});
	getById('new-key-title').textContent = `Your new ${environment} key`;
	getById('new-key-value').textContent = key;
	getById('new-key').hidden = false;
	getById('new-key').focus();
	// The next key is for the sandbox again, unless someone chooses otherwise.
	keyForm.reset();
	notify(`Key created. ${scopes.length > 0 ? 'Copy it now.' : describeKeyWithoutScopes()}`);
}

function describeKeyWithoutScopes(): string {
	return getSettings().voiceCloneScope
		? 'Without scopes it can do nothing.'
		: 'Without scopes it can only clone voices.';
}

export function showKeys({ keys }: { keys: KeyRecord[] }) {
	getById('keys-empty').hidden = keys.length > 0;
	getById('keys-table').hidden = keys.length === 0;
	const focusedId = document.activeElement?.id;
	getById('keys-rows').replaceChildren(...keys.map(createKeyRow).reverse());
	// The rows are new, so the button that had the focus has been replaced.
	if (focusedId) getById(focusedId)?.focus();
}

function createKeyRow(key: KeyRecord) {
	return createRow(
		createCell('Key', create('code', {}, key.prefix), { tag: 'th' }),
		createCell('Name', key.name || '–', { className: 'name' }),
		createCell('Environment', createBadge(key.environment)),
		createCell('Created', createTime(key.createdAt)),
		createCell('Scopes', key.scopes.join(', ') || 'none', { className: 'scopes' }),
		createCell('State', key.revokedAt ? 'Revoked' : createRevokeButton(key)),
	);
}

function createRevokeButton({ id, prefix, name }: KeyRecord) {
	const ariaLabel = `Revoke ${prefix} ${name}`;
	const button = create('button', { id, className: 'outline danger', ariaLabel }, 'Revoke');
	button.addEventListener('click', () => {
		confirmAction({
			title: 'Revoke this key?',
			text: `${prefix} ${name && `(${name}) `}stops working ${describeDelay()}. This cannot be undone.`,
			no: 'Keep it',
			yes: 'Revoke key',
			async action() {
				await call('DELETE', `/keys/${id}`);
				// The button that had the focus is gone.
				getById('keys-table').focus();
				notify(`${prefix} is revoked. It stops working ${describeDelay()}.`);
			},
		});
	});
	return button;
}

/** @returns when a key that is revoked now stops working, by the settings */
function describeDelay(): string {
	const seconds = getSettings().revocationDelayMs / 1000;
	if (seconds === 0) return 'at once';
	return `after ${formatCount(seconds, 'second')}`;
}
