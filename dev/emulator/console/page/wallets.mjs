import { call } from './api.mjs';
import { byId, environmentBadge, make, notify } from './dom.mjs';

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
	const empty = make('button', { type: 'button', class: 'outline' }, 'Empty wallet');
	empty.addEventListener('click', () => void setBalance(environment, 0));
	const form = make(
		'form',
		{},
		make('label', {}, `Credits to add to the ${environment} wallet`, input),
		make('div', { class: 'row' }, make('button', { type: 'submit' }, 'Add credits'), empty),
	);
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		void setBalance(environment, balances[environment] + input.valueAsNumber);
	});
	const title = environment === 'sandbox' ? 'Sandbox wallet' : 'Live wallet';
	return make(
		'article',
		{},
		make(
			'div',
			{ class: 'row' },
			make('h3', { class: 'wide' }, title),
			environmentBadge(environment),
		),
		make('p', { class: 'balance', id: `balance-${environment}` }),
		form,
	);
}

/** @param {Record<Environment, {balance: number}>} wallets */
export function showWallets(wallets) {
	for (const environment of ENVIRONMENTS) {
		const { balance } = wallets[environment];
		balances[environment] = balance;
		byId(`balance-${environment}`).replaceChildren(
			balance.toLocaleString(),
			' ',
			make('small', {}, 'credits'),
		);
	}
}

/**
 * @param {Environment} environment
 * @param {number} balance
 */
async function setBalance(environment, balance) {
	showWallets(await call('PUT', `/wallets/${environment}`, { balance }, 'Credits'));
	notify(`The ${environment} wallet now has ${balance.toLocaleString()} credits.`);
}
