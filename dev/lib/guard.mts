// Removes what a process leaves behind, once that process is gone. Handlers of `exit` cannot do it: they do not run after
// SIGKILL, nor if they are registered inside of a jest test. processes.mts starts this program and writes to its input.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup } from './processes.mts';
import type { GuardMessage } from './processes.mts';

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
	for (let checks = 50; checks > 0 && signalGroup(pid, 0); checks--) await sleep(20);
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
