// Kills what a process started once that process is gone. `exit` handlers do not run after SIGKILL, nor those that
// are registered inside of a jest test. Run by processes.mts, which reports the process groups in lines of JSON.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGroupAlive, killGroup } from './processes.mts';

const known: Record<string, Set<any>> = { group: new Set(), folder: new Set() };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
createInterface({ input: process.stdin })
	.on('line', (line) => {
		const { kind, value, isGone } = JSON.parse(line);
		if (isGone) known[kind]?.delete(value);
		else known[kind]?.add(value);
	})
	.on('close', async () => {
		for (const pid of known.group ?? []) {
			killGroup(pid, 'SIGKILL');
			for (let tries = 50; tries > 0 && isGroupAlive(pid); tries--) await sleep(20);
		}
		for (const folder of known.folder ?? []) {
			rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
		}
	});
