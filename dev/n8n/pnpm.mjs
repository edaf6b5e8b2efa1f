import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainFailure } from './explain.mjs';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';

const definition = join(dirname(fileURLToPath(import.meta.url)), 'pnpm');

/**
 * Installs pnpm into `<into>/pnpm`, or finds it there.
 * @param {string} into the folder of the installed n8n versions
 * @param {{logFile: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal}} options
 * @returns {Promise<string>} path of its script
 * @throws {import('./problem.mjs').Problem} when it cannot be installed
 */
export async function installPnpm(into, { logFile, env, signal }) {
	const folder = join(into, 'pnpm');
	const script = join(folder, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
	await withLock(`${folder}.lock`, { onWait() {} }, async () => {
		await cp(definition, folder, { recursive: true });
		if (existsSync(script)) return;
		const options = { cwd: folder, logFile, env, signal };
		const { code, output } = await runNpm(['ci', '--no-audit'], options);
		if (code !== 0 || !existsSync(script)) throw explainFailure('packages', output, logFile);
	});
	return script;
}
