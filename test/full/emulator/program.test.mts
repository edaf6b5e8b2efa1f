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
