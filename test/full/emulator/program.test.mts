import { fork } from 'node:child_process';
import path from 'node:path';

import { typeScriptFlags } from '../../../dev/lib/typeScriptFlags.cjs';
import { startEmulatorProcess } from '../../../dev/emulator/emulatorProcess.mts';

it('the emulator reports a port in use in one sentence, and SIGTERM ends it even with an open connection', async () => {
	const emulator = await startEmulatorProcess();
	const { port } = new URL(emulator.baseUrl);
	const sentence = new RegExp(`exit code 1: [^\\n]*, port ${port}, is in use: [^\\n]+\\n$`);
	await expect(startEmulatorProcess(['--port', port])).rejects.toThrow(sentence);
	const events = await fetch(`${emulator.consoleUrl}/api/events`);
	expect(events.status).toBe(200);
	await emulator.stop();
});

it('the emulator says when it starts that it understands nothing', async () => {
	const main = path.resolve(__dirname, '../../../dev/emulator/main.mts');
	const program = fork(main, ['--port', '0'], { execArgv: typeScriptFlags, silent: true });
	let text = '';
	for await (const chunk of program.stdout!) {
		text += String(chunk);
		// The emulator ends when it is disconnected from the process that started it.
		if (text.includes('Ctrl-C')) program.disconnect();
	}
	expect(text).toContain('only imitates the service, and understands no speech.');
	expect(text).toMatch(/Base URL {2}http:/);
});
