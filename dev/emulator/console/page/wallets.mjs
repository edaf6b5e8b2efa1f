import { call, showUnlessOutdated } from './api.mjs';
import { byId, count, environmentBadge, make, notify } from './dom.mjs';

/** @typedef {import('../../keys.mjs').Environment} Environment */

const ENVIRONMENTS = /** @type {const} */ (['sandbox', 'live']);
const balances = { sandbox: 0, live: 0 };

/** Creates a card for each wallet. */
export function setUpWallets() {
	byId('wallets').append(...ENVIRONMENTS.map(walletCard));
}

/** @param {Environment} environment */
function walletCard(environment) {
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

/** @param {Record<Environment, {balance: number}>} wallets */
export function showWallets(wallets) {
	for (const environment of ENVIRONMENTS) {
		const { balance } = wallets[environment];
		balances[environment] = balance;
		const credits = make('small', {}, ' credits');
		byId(`balance-${environment}`).replaceChildren(balance.toLocaleString(), credits);
	}
}

/**
 * @param {Environment} environment
 * @param {number} balance
 */
async function setBalance(environment, balance) {
	const response = call('PUT', `/wallets/${environment}`, { balance }, 'Credits');
	await showUnlessOutdated('wallets', response, showWallets);
	notify(`The ${environment} wallet now has ${count(balance, 'credit')}.`);
}
