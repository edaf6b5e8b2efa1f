import { call } from './api.mts';
import { create, createBadge, formatCount, getById, notify } from './dom.mts';
import type { Environment } from '../../keys.mts';
import type { Wallets } from '../../state.mts';

const environments = ['sandbox', 'live'] as const;
const balances = { sandbox: 0, live: 0 };

/** Creates a card for each wallet. */
export function setUpWallets() {
	getById('wallets').append(...environments.map(createCard));
}

function createCard(environment: Environment) {
	const name = environment === 'sandbox' ? 'Sandbox wallet' : 'Live wallet';
	const title = create('h3', { className: 'wide' }, name);
	const header = create('div', { className: 'row' }, title, createBadge(environment));
	const balance = create('p', { className: 'balance', id: `balance-${environment}` });
	return create('article', {}, header, balance, createForm(environment));
}

function createForm(environment: Environment) {
	const input = create('input', { type: 'number', min: 1, step: 1, value: 1000, required: true });
	const label = create('label', {}, `Credits to add to the ${environment} wallet`, input);
	// Both wallets have these buttons: a screen reader also reads the wallet.
	const add = create(
		'button',
		{ ariaLabel: `Add credits to the ${environment} wallet` },
		'Add credits',
	);
	const empty = create(
		'button',
		{ type: 'button', className: 'outline', ariaLabel: `Empty wallet: ${environment}` },
		'Empty wallet',
	);
	empty.addEventListener('click', () => void setBalance(environment, 0));
	const form = create('form', {}, label, create('div', { className: 'row' }, add, empty));
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void setBalance(environment, balances[environment] + input.valueAsNumber);
	});
	return form;
}

export function showWallets(wallets: Wallets) {
	for (const environment of environments) {
		const { balance } = wallets[environment];
		balances[environment] = balance;
		const credits = create('small', {}, ' credits');
		getById(`balance-${environment}`).replaceChildren(balance.toLocaleString(), credits);
	}
	const { sandbox, live } = balances;
	getById('balances').textContent =
		`Sandbox: ${sandbox.toLocaleString()}, live: ${formatCount(live, 'credit')}`;
}

async function setBalance(environment: Environment, balance: number) {
	await call('PUT', `/wallets/${environment}`, { balance }, 'Credits');
	notify(`The ${environment} wallet now has ${formatCount(balance, 'credit')}.`);
}
