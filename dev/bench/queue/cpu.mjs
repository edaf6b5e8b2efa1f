import { childrenOf, machineSeconds, processorSeconds } from '../../n8n/proc.mjs';

/**
 * Process ids by role.
 * @typedef {Record<'main' | 'webhook' | 'workers' | 'postgres' | 'redis' | 'service', number[]>} Roles
 */

/**
 * Seconds of processor time since the processes started; `machine` is that of all programs.
 * @typedef {Record<keyof Roles | 'machine', number>} Used
 */

/** @param {Roles} roles @returns {Used} PostgreSQL's includes the processes that it started */
export function processorTime(roles) {
	const postgres = roles.postgres.flatMap((pid) => [pid, ...childrenOf(pid)]);
	const entries = Object.entries({ ...roles, postgres }).map(([role, pids]) => [
		role,
		pids.reduce((sum, pid) => sum + processorSeconds(pid), 0),
	]);
	return { ...Object.fromEntries(entries), machine: machineSeconds() };
}

/** @param {Used} before @param {Used} after @returns {Used} */
export function usedBetween(before, after) {
	const names = /** @type {(keyof Used)[]} */ (Object.keys(before));
	return /** @type {Used} */ (
		Object.fromEntries(names.map((name) => [name, after[name] - before[name]]))
	);
}
