import { call } from './api.mjs';
import {
	byId,
	elementById,
	environmentBadge,
	make,
	notify,
	setUpCopyButton,
	timeOf,
} from './dom.mjs';

/** @typedef {import('../../keys.mjs').KeyRecord} KeyRecord */

/** @type {KeyRecord | undefined} the key in the question "Revoke this key?" */
let toRevoke;
/** Id of the key that is shown as new. */
let newKeyId = '';

/** Adds the listeners of the key form, the new key and the question before a key is revoked. */
export function setUpKeys() {
	setUpCopyButton('new-key-copy', 'new-key-value');
	byId('all-scopes').addEventListener('click', () => selectScopes(true));
	byId('no-scopes').addEventListener('click', () => selectScopes(false));
	const form = elementById('key-form', HTMLFormElement);
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void create(new FormData(form));
	});
	byId('new-key-done').addEventListener('click', () => {
		hideNewKey();
		byId('key-name').focus();
	});
	const dialog = elementById('revoke', HTMLDialogElement);
	byId('revoke-no').addEventListener('click', () => dialog.close());
	byId('revoke-yes').addEventListener('click', () => {
		dialog.close();
		void revoke();
	});
}

const scopeBoxes = () => byId('key-scopes').querySelectorAll('input');

/** @param {boolean} checked */
function selectScopes(checked) {
	for (const box of scopeBoxes()) box.checked = checked;
}

/** @param {string[]} scopes that a key can have */
export function showScopes(scopes) {
	if (String([...scopeBoxes()].map(({ value }) => value)) === String(scopes)) return;
	byId('key-scopes').replaceChildren(
		...scopes.map((value) =>
			make(
				'label',
				{},
				make('input', { type: 'checkbox', name: 'scope', value, checked: true }),
				value,
			),
		),
	);
}

/** @param {FormData} form */
async function create(form) {
	const scopes = form.getAll('scope');
	if (scopes.length === 0) {
		notify('Select at least one scope: a key without scopes can do nothing useful.', 'problem');
		scopeBoxes()[0]?.focus();
		return;
	}
	const { id, key } = await call('POST', '/keys', {
		environment: form.get('environment'),
		scopes,
		name: String(form.get('name')).trim(),
	});
	newKeyId = id;
	byId('new-key-value').textContent = key;
	byId('new-key').hidden = false;
	byId('new-key').focus();
	elementById('key-name', HTMLInputElement).value = '';
	showKeys(await call('GET', '/keys'));
	notify('Key created. Copy it now: it cannot be shown again.');
}

function hideNewKey() {
	newKeyId = '';
	byId('new-key').hidden = true;
	byId('new-key-value').textContent = '';
}

async function revoke() {
	if (!toRevoke) return;
	await call('DELETE', `/keys/${toRevoke.id}`);
	showKeys(await call('GET', '/keys'));
	// The button that had the focus is gone.
	byId('keys-table').focus();
	notify(`${toRevoke.prefix} is revoked. It stops working in a moment.`);
}

/** @param {{keys: KeyRecord[]}} list */
export function showKeys({ keys }) {
	byId('keys-empty').hidden = keys.length > 0;
	byId('keys-table').hidden = keys.length === 0;
	if (keys.some(({ id, revokedAt }) => id === newKeyId && revokedAt)) hideNewKey();
	const focused = document.activeElement?.getAttribute('data-key');
	byId('keys-rows').replaceChildren(...keys.map(rowOf).reverse());
	const buttons = [...byId('keys-rows').querySelectorAll('button')];
	buttons.find((button) => button.dataset.key === focused)?.focus();
}

/** @param {KeyRecord} key */
function rowOf(key) {
	return make(
		'tr',
		{},
		make('th', { scope: 'row' }, make('code', {}, key.prefix)),
		make('td', { class: 'long' }, key.name || '–'),
		make('td', {}, environmentBadge(key.environment)),
		make('td', { class: 'scopes' }, key.scopes.join(', ') || 'none'),
		make('td', {}, timeOf(key.createdAt)),
		make('td', {}, key.revokedAt ? 'Revoked' : revokeButton(key)),
	);
}

/** @param {KeyRecord} key */
function revokeButton(key) {
	const button = make(
		'button',
		{
			type: 'button',
			class: 'outline danger',
			'data-key': key.id,
			'aria-label': `Revoke ${key.prefix} ${key.name}`,
		},
		'Revoke',
	);
	button.addEventListener('click', () => {
		toRevoke = key;
		byId('revoke-text').textContent =
			`${key.prefix} ${key.name && `(${key.name}) `}stops working after the delay in the settings, by default within three seconds. This cannot be undone.`;
		elementById('revoke', HTMLDialogElement).showModal();
	});
	return button;
}
