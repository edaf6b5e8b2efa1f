const { existsSync } = require('node:fs');
const { mkdtemp, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const path = require('node:path');

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Starts one n8n with the packed package, the emulator and the examples for all files of tests. */
module.exports = async () => {
	if (!existsSync(chromium)) {
		throw new Error(
			`There is no ${chromium}. Install Chromium ("apt-get install chromium" on Debian), or name its program in the environment variable CHROMIUM.`,
		);
	}
	const { startDemo } = await import('../../demo/setup.mjs');
	const { freePort } = await import('../../hosts/ports.mjs');
	const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-browser-'));
	const interruption = new AbortController();
	/** @type {import('../../demo/setup.mjs').Demo | undefined} */
	let demo;
	const stop = async () => {
		await demo?.stop();
		await rm(folder, { recursive: true, force: true });
	};
	process.once('SIGINT', () => {
		interruption.abort();
		void stop().finally(() => process.exit(130));
	});
	globalThis.stopDemo = stop;
	try {
		demo = await startDemo({
			folder,
			port: await freePort(),
			emulatorPort: await freePort(),
			signal: interruption.signal,
		});
	} catch (error) {
		await stop();
		throw error;
	}
	const { n8n, login, service, workflows } = demo;
	process.env.VOICE_SPEECH_STAGE = JSON.stringify({
		chromium,
		url: n8n.url,
		login,
		service: { baseUrl: service.baseUrl, apiKey: service.apiKey },
		workflows,
	});
};
