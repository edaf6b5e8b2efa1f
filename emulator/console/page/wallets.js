import { call } from './api.js';
import { byId, environmentBadge, make, tell } from './dom.js';

const WALLETS = { sandbox: 'Sandbox wallet', live: 'Live wallet' };
const balances = {};

/** Draws both wallets, each with a way to top it up. */
export function setUpWallets() {
	for (const [environment, title] of Object.entries(WALLETS)) {
		const input = make('input', {
			id: `top-up-${environment}`,
			type: 'number',
			min: 1,
			step: 1,
			value: 1000,
			required: true,
		});
		const form = make(
			'form',
			{ class: 'field' },
			make('label', { htmlFor: input.id }, `Credits to add to the ${environment} wallet`),
			make('div', { class: 'row' }, input, make('button', { type: 'submit' }, 'Add credits')),
		);
		form.addEventListener('submit', (event) => {
			event.preventDefault();
			void topUp(environment, Number(input.value));
		});
		byId('wallets').append(
			make(
				'div',
				{ class: 'wallet' },
				make('div', { class: 'heading' }, make('h3', {}, title), environmentBadge(environment)),
				make('p', { class: 'balance', id: `balance-${environment}` }),
				form,
			),
		);
	}
}

/** @param {Record<'sandbox' | 'live', {balance: number}>} wallets */
export function showWallets(wallets) {
	for (const [environment, { balance }] of Object.entries(wallets)) {
		balances[environment] = balance;
		byId(`balance-${environment}`).replaceChildren(
			balance.toLocaleString(),
			' ',
			make('small', {}, 'credits'),
		);
	}
}

/**
 * @param {'sandbox' | 'live'} environment
 * @param {number} credits
 */
async function topUp(environment, credits) {
	const balance = balances[environment] + credits;
	showWallets(await call('PUT', `/wallets/${environment}`, { balance }));
	tell(`The ${environment} wallet now has ${balance.toLocaleString()} credits.`);
}
