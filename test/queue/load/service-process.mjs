// The emulator and the ledger before it, in a process of their own: see service.mjs.
import { once } from 'node:events';
import { startEmulator } from '../../../dev/emulator/index.mjs';
import { createLedger } from './ledger.mjs';

const emulator = await startEmulator({
	port: 0,
	// Tones cost next to nothing, whatever voice the machine has.
	settings: { ttsEngine: 'tones', unknownVoice: 'accept', extraResponseFields: true },
	credits: { sandbox: 1_000_000 },
});
const { key } = emulator.createKey({
	environment: 'sandbox',
	scopes: ['speech-to-text', 'text-to-speech'],
	name: 'Queue',
});
/** @type {import('./ledger.mjs').LedgerEntry[]} */
const entries = [];
const ledger = createLedger(emulator.baseUrl, entries).listen(0, '127.0.0.1');
await once(ledger, 'listening');
const address = /** @type {import('node:net').AddressInfo} */ (ledger.address());

process.on('message', (/** @type {{id: number, settings?: object, forget?: boolean}} */ asked) => {
	if (asked.settings) emulator.setSettings(asked.settings);
	process.send?.({ id: asked.id, entries });
	if (asked.forget) entries.length = 0;
});
const end = async () => {
	await emulator.close();
	process.exit();
};
process.once('SIGTERM', end).once('disconnect', end);
process.send?.({
	baseUrl: `http://127.0.0.1:${address.port}`,
	consoleUrl: emulator.consoleUrl,
	key,
});
