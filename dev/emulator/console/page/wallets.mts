import { call, showUnlessOutdated } from './api.mts';
import { byId, count, environmentBadge, make, notify } from './dom.mts';
import type { Environment } from '../../keys.mts';

const ENVIRONMENTS = ['sandbox', 'live'] as const;
const balances = { sandbox: 0, live: 0 };

/** Creates a card for each wallet. */
export function setUpWallets() {
	byId('wallets').append(...ENVIRONMENTS.map(walletCard));
}

function walletCard(environment: Environment) {
	const input = make('input', { type: 'number', min: 1, step: 1, value: 1000, required: true });
	// Both wallets have these buttons: a screen reader also reads the wallet.
	const emptyName = { ariaLabel: `Empty wallet: ${environment}` };
	const addName = { ariaLabel: `Add credits to the ${environment} wallet` };
	const empty = make(
		'button',
		{ type: 'button', className: 'outline', ...emptyName },
		'Empty wallet',
	);
	empty.addEventListener('click', () => void setBalance(environment, 0));
	const buttons = make('div', { className: 'row' }, make('button', addName, 'Add credits'), empty);
	const label = make('label', {}, `Credits to add to the ${environment} wallet`, input);
	const form = make('form', {}, label, buttons);
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void setBalance(environment, balances[environment] + input.valueAsNumber);
	});
	const name = environment === 'sandbox' ? 'Sandbox wallet' : 'Live wallet';
	const title = make('h3', { className: 'wide' }, name);
	const header = make('div', { className: 'row' }, title, environmentBadge(environment));
	const balance = make('p', { className: 'balance', id: `balance-${environment}` });
	return make('article', {}, header, balance, form);
}

export function showWallets(wallets: Record<Environment, { balance: number }>) {
	for (const environment of ENVIRONMENTS) {
		const { balance } = wallets[environment];
		balances[environment] = balance;
		const credits = make('small', {}, ' credits');
		byId(`balance-${environment}`).replaceChildren(balance.toLocaleString(), credits);
	}
}

async function setBalance(environment: Environment, balance: number) {
	const response = call('PUT', `/wallets/${environment}`, { balance }, 'Credits');
	await showUnlessOutdated('wallets', response, showWallets);
	notify(`The ${environment} wallet now has ${count(balance, 'credit')}.`);
}
