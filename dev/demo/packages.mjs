import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../n8n/problem.mjs';
import { startProcess, stopProcess } from '../n8n/processes.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Installs the packages of this repository if they are missing. npm's `predemo` would not run, because
 * .npmrc sets `ignore-scripts`.
 * @param {AbortSignal} signal ends the installation
 * @returns {Promise<void>}
 * @throws {Problem} if they cannot be installed; or the signal's reason
 */
export async function installPackages(signal) {
	const script = join(root, 'dev', 'scripts', 'install-missing.mjs');
	const child = startProcess(process.execPath, [script], { cwd: root, stdio: 'inherit' });
	const abort = () => void stopProcess(child, 2_000);
	signal.addEventListener('abort', abort);
	try {
		const [code] = await once(child, 'close');
		signal.throwIfAborted();
		if (code !== 0) throw new Problem('The demo needs the packages of this repository.');
	} finally {
		signal.removeEventListener('abort', abort);
	}
}
