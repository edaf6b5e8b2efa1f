import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startDemo } from '../../dev/demo/startDemo.mts';

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Starts one n8n with the packed package, the emulator and the examples for all test files. */
export default async function startN8n() {
	if (!existsSync(chromium)) {
		throw new Error(
			`${chromium} was not found. Install Chromium ("apt-get install chromium" on Debian), or set the environment variable CHROMIUM to its path.`,
		);
	}
	const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-browser-'));
	const { n8n, mockSystems, stop, ...shared } = await startDemo({ folder });
	const stopDemo = async () => {
		await stop();
		await rm(folder, { recursive: true });
	};
	Object.assign(globalThis, { stopDemo });
	process.env.VOICE_SPEECH_DEMO = JSON.stringify({
		...shared,
		chromium,
		profile: path.join(folder, 'profile'),
		url: n8n.url,
		mockSystemsUrl: mockSystems.url,
	});
}
