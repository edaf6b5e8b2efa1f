import { startEmulator } from '../support/emulator';

const sentenceWith = (words: string) => new RegExp(`exit code 1: [^\\n]*${words}[^\\n]*\\n$`);

test.each([
	[['--port', '65536'], '--port'],
	[['--nothing'], '--nothing'],
	[['--host', '192.0.2.1'], '--host'],
])('%j is one clear sentence', async (args, words) => {
	await expect(startEmulator(args)).rejects.toThrow(sentenceWith(words));
});

test('a port in use is one clear sentence; SIGTERM ends it, even with an open connection', async () => {
	const emulator = await startEmulator();
	const { port } = new URL(emulator.baseUrl);
	const words = `127.0.0.1, port ${port}, is in use: `;
	await expect(startEmulator(['--port', port])).rejects.toThrow(sentenceWith(words));
	const events = await fetch(`${emulator.consoleUrl}/api/events`);
	expect(events.status).toBe(200);
	const begin = Date.now();
	await emulator.stop();
	expect(Date.now() - begin).toBeLessThan(3000);
});
