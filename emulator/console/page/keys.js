import { call } from './api.js';
import { byId, environmentBadge, make, tell, timeOf } from './dom.js';

let toRevoke;

/**
 * Draws the form for new keys and the question before a key is revoked.
 * @param {string[]} scopes
 */
export function setUpKeys(scopes) {
	byId('key-scopes').append(
		...scopes.map((scope) =>
			make(
				'label',
				{},
				make('input', { type: 'checkbox', name: 'scope', value: scope, checked: true }),
				scope,
			),
		),
	);
	byId('all-scopes').addEventListener('click', () => selectScopes(true));
	byId('no-scopes').addEventListener('click', () => selectScopes(false));
	byId('key-form').addEventListener('submit', (event) => {
		event.preventDefault();
		void create(new FormData(event.target));
	});
	byId('new-key-done').addEventListener('click', () => {
		byId('new-key').hidden = true;
		byId('new-key-value').textContent = '';
		byId('key-name').focus();
	});
	byId('revoke-no').addEventListener('click', () => byId('revoke').close());
	byId('revoke-yes').addEventListener('click', () => void revoke());
}

/** @param {boolean} checked */
function selectScopes(checked) {
	for (const box of byId('key-scopes').querySelectorAll('input')) box.checked = checked;
}

/** @param {FormData} form */
async function create(form) {
	const { key } = await call('POST', '/keys', {
		environment: form.get('environment'),
		scopes: form.getAll('scope'),
		name: form.get('name').trim(),
	});
	byId('new-key-value').textContent = key;
	byId('new-key').hidden = false;
	byId('new-key').focus();
	byId('key-name').value = '';
	showKeys(await call('GET', '/keys'));
	tell('Key created. Copy it now: it is shown this once.');
}

async function revoke() {
	byId('revoke').close();
	await call('DELETE', `/keys/${toRevoke.id}`);
	showKeys(await call('GET', '/keys'));
	// Its button is gone, and the focus with it.
	byId('keys-table').focus();
	tell(`${toRevoke.prefix} is revoked. It stops working in a moment.`);
}

/** @param {{keys: any[]}} list */
export function showKeys({ keys }) {
	byId('keys-empty').hidden = keys.length > 0;
	byId('keys-table').hidden = keys.length === 0;
	const focused = document.activeElement?.dataset?.key;
	byId('keys-rows').replaceChildren(...keys.map(rowOf).reverse());
	if (focused) document.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

/** @param {any} key */
function rowOf(key) {
	return make(
		'tr',
		{},
		make('th', { scope: 'row' }, make('code', {}, key.prefix)),
		make('td', {}, key.name || '–'),
		make('td', {}, environmentBadge(key.environment)),
		make('td', { class: 'scope-list' }, key.scopes.join(', ') || 'none'),
		make('td', {}, timeOf(key.createdAt)),
		make('td', {}, key.revokedAt ? 'Revoked' : revokeButton(key)),
	);
}

/** @param {any} key */
function revokeButton(key) {
	const button = make(
		'button',
		{
			type: 'button',
			class: 'quiet danger',
			'data-key': key.id,
			'aria-label': `Revoke ${key.prefix} ${key.name}`,
		},
		'Revoke',
	);
	button.addEventListener('click', () => {
		toRevoke = key;
		byId('revoke-text').textContent =
			`${key.prefix} ${key.name && `(${key.name}) `}stops working within three seconds unless the delay was changed. This cannot be undone.`;
		byId('revoke').showModal();
	});
	return button;
}
