const { existsSync } = require('node:fs');
const { mkdtemp } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const path = require('node:path');

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Starts one n8n with the packed package, the emulator and the examples for all test files. */
module.exports = async () => {
	if (!existsSync(chromium)) {
		throw new Error(
			`${chromium} was not found. Install Chromium ("apt-get install chromium" on Debian), or set the environment variable CHROMIUM to its path.`,
		);
	}
	const { startDemo } = await import('../../dev/demo/setup.mjs');
	const { freePort } = await import('../../dev/n8n/ports.mjs');
	const { deleteAfterwards } = await import('../../dev/n8n/processes.mjs');
	const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-browser-'));
	deleteAfterwards([folder]);
	const ports = { port: await freePort(), emulatorPort: await freePort() };
	const { n8n, login, service, outside, workflows, recordings, stop } = await startDemo({
		folder,
		...ports,
	});
	Object.assign(globalThis, { stopDemo: stop });
	const { baseUrl, consoleUrl, apiKey } = service;
	process.env.VOICE_SPEECH_STAGE = JSON.stringify({
		...{ chromium, url: n8n.url, login, workflows, recordings, outside: outside.url },
		service: { baseUrl, consoleUrl, apiKey },
	});
};
