// This program kills what another process leaves running when it ends. Handlers of `exit` cannot do it, because they do
// not run after SIGKILL, nor if they are registered inside of a jest test. processes.mts starts this program and writes to
// its input, which ends when that process ends.
import { createInterface } from 'node:readline';

import { killGroup, type GuardMessage } from './processes.mts';

const groups = new Set<number>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
	const { group, endedGroup }: GuardMessage = JSON.parse(line);
	if (group !== undefined) groups.add(group);
	if (endedGroup !== undefined) groups.delete(endedGroup);
}

for (const pid of groups) killGroup(pid);
