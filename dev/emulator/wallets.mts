import type { Environment } from './keys.mts';

/** The wallets as the console's API returns them. */
export type Wallets = Record<Environment, { balance: number }>;

/** Changes the credits in `saved`, and calls `onChange` after each change. */
export function createWallets(saved: Record<Environment, number>, onChange: () => void) {
	const set = (environment: Environment, credits: number) => {
		saved[environment] = credits;
		onChange();
	};
	return {
		list: (): Wallets => ({ sandbox: { balance: saved.sandbox }, live: { balance: saved.live } }),
		set,
		debit: (name: Environment, credits: number) => set(name, saved[name] - credits),
		refund: (name: Environment, credits: number) => set(name, saved[name] + credits),
	};
}
