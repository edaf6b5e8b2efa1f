/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import fc from 'fast-check';

import { declarativeNode, Engine } from '../../support/engine';
import {
	checkBarrier,
	checkConcurrency,
	checkKeys,
	checkPaidOnce,
	checkStarts,
} from './callChecks';
import type { History } from './history';
import { checkDebits, checkItems, checkSecrets, checkWallets } from './outputChecks';
import { play } from './play';
import { checkProgress, checkResults } from './progressChecks';
import { scenes } from './scene';
import { ScriptedService } from './scriptedService';

const checks: Array<(history: History) => string[]> = [
	checkStarts,
	checkBarrier,
	checkConcurrency,
	checkItems,
	checkProgress,
	checkResults,
	checkKeys,
	checkWallets,
	checkSecrets,
	checkPaidOnce,
	checkDebits,
];

/** Everything that an invariant says against this run. */
export function violationsIn(history: History): string[] {
	return checks.flatMap((check) => check(history));
}

function numberFrom(variable: string): number | undefined {
	const value = process.env[variable];
	return value === undefined ? undefined : Number(value);
}

/**
 * Checks the invariants over random interleavings. `RUNS` changes their number. `SEED` repeats all of them, and with
 * `REPLAY`, the path that fast-check prints, only the one that failed:
 * SEED=... REPLAY=... npx jest test/credits/invariants
 *
 * The scheduler decides what happens next. Only the batches of n8n's Batching and the ends of back-offs come by the
 * clock, so a scene with them can differ slightly from one repetition to the next.
 */
export async function assertInvariants(runs: number): Promise<void> {
	const engine = await Engine.start('default');
	const service = new ScriptedService();
	await service.start();
	const node = declarativeNode();
	const seed = numberFrom('SEED');
	const path = process.env.REPLAY;
	try {
		await fc.assert(
			fc.asyncProperty(scenes, fc.scheduler(), async (scene, scheduler) => {
				const history = await play(scene, scheduler, { engine, service, node });
				expect([...violationsIn(history)]).toEqual([]);
				expect(service.strays).toBe(0);
			}),
			{
				numRuns: numberFrom('RUNS') ?? runs,
				...(seed === undefined ? {} : { seed }),
				...(path === undefined ? {} : { path }),
			},
		);
	} finally {
		await service.stop();
	}
}
