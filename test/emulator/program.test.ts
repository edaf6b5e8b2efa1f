import { startEmulator } from '../support/emulator';

test('a port in use is one clear sentence; SIGTERM ends it, even with an open connection', async () => {
	const emulator = await startEmulator();
	const { port } = new URL(emulator.baseUrl);
	const sentence = new RegExp(`exit code 1: [^\\n]*, port ${port}, is in use: [^\\n]+\\n$`);
	await expect(startEmulator(['--port', port])).rejects.toThrow(sentence);
	const events = await fetch(`${emulator.consoleUrl}/api/events`);
	expect(events.status).toBe(200);
	const begin = Date.now();
	await emulator.stop();
	expect(Date.now() - begin).toBeLessThan(3000);
});
