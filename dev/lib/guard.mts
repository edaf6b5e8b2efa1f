// Removes what a process leaves behind, once that process is gone. Handlers of `exit` cannot do it: they do not run after
// SIGKILL, nor if they are registered inside of a jest test. processes.mts starts this program and writes to its input.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup } from './processes.mts';
import type { GuardMessage } from './processes.mts';

/** Waits up to a second for the end of a group, because a process that has not ended may still write into a folder. */
async function waitForEnd(pid: number) {
	for (let checks = 0; checks < 50; checks++) {
		if (!signalGroup(pid, 0)) return;
		await sleep(20);
	}
}

const groups = new Set<number>();
const folders = new Set<string>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
	const { kind, value, isGone }: GuardMessage = JSON.parse(line);
	const known: Set<number | string> = kind === 'group' ? groups : folders;
	if (isGone) known.delete(value);
	else known.add(value);
}

for (const pid of groups) {
	signalGroup(pid, 'SIGKILL');
	await waitForEnd(pid);
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
