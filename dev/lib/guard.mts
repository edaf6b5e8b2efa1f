// This program removes what another process leaves behind when it ends. Handlers of `exit` cannot do it, because they do
// not run after SIGKILL, nor if they are registered inside of a jest test. processes.mts starts this program and writes to
// its input, which ends when that process ends.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { killGroup, type GuardMessage } from './processes.mts';

const groups = new Set<number>();
const folders: string[] = [];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
	const { group, endedGroup, folder }: GuardMessage = JSON.parse(line);
	if (group !== undefined) groups.add(group);
	if (endedGroup !== undefined) groups.delete(endedGroup);
	if (folder !== undefined) folders.push(folder);
}

for (const pid of groups) killGroup(pid);
// A process that is about to end may still write into a folder, which then is not empty.
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
