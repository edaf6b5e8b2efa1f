import type { Environment } from '../../keys.mts';
import type { Wallets } from '../../wallets.mts';
import { call } from './api.mts';
import { confirmAction, formatCount, getById, notify } from './dom.mts';

const environments = ['sandbox', 'live'] as const;
const balances = { sandbox: 0, live: 0 };

export function setUpWallets() {
	for (const environment of environments) {
		const form = getById<HTMLFormElement>(`wallet-${environment}`);
		form.addEventListener('submit', async (event) => {
			event.preventDefault();
			const credits = Number(new FormData(form).get('credits'));
			await setBalance(environment, balances[environment] + credits);
		});
		const empty = getById(`empty-${environment}`);
		const emptyWallet = async () => await setBalance(environment, 0);
		empty.addEventListener('click', environment === 'live' ? confirmEmptyLive : emptyWallet);
	}
}

export function showWallets(wallets: Wallets) {
	for (const environment of environments) {
		const { balance } = wallets[environment];
		balances[environment] = balance;
		getById(`balance-${environment}`).textContent = balance.toLocaleString();
	}
	const { sandbox, live } = balances;
	getById('balances').textContent =
		`Sandbox: ${sandbox.toLocaleString()}, live: ${formatCount(live, 'credit')}`;
}

/** Asks before the live wallet is emptied, because calls with live keys then fail. */
function confirmEmptyLive() {
	confirmAction({
		title: 'Empty the live wallet?',
		text: `It has ${formatCount(balances.live, 'credit')}. Without credits, all calls with live keys are refused.`,
		no: 'Keep the credits',
		yes: 'Empty live wallet',
		action: async () => await setBalance('live', 0),
	});
}

async function setBalance(environment: Environment, balance: number) {
	await call('PUT', `/wallets/${environment}`, { balance }, 'Credits');
	notify(`The ${environment} wallet now has ${formatCount(balance, 'credit')}.`);
}
