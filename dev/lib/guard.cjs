// This program kills what another process leaves running when it ends. Handlers of `exit` cannot do it, because they do not
// run after SIGKILL, nor if they are registered inside of a jest test. processes.mts starts this program.
// It is disconnected when their process ends. It is CommonJS, so that it listens before the first message arrives.

/**
 * Process IDs of the leaders of groups that have not ended.
 *
 * @type {Set<number>}
 */
const groups = new Set();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

process.on('message', (/** @type {import('./processes.mts').GuardMessage} */ message) => {
	if (message.hasEnded) groups.delete(message.group);
	else groups.add(message.group);
});

process.on('disconnect', () => {
	for (const group of groups) {
		try {
			process.kill(-group, 'SIGKILL');
		} catch {
			// The group has ended.
		}
	}
});
