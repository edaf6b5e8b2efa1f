import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../lib/root.cjs';
import { explainFailure } from './explain.mts';
import { withLock } from '../lib/lock.mts';
import { runNpm } from '../lib/npm.mts';

const definition = join(root, 'dev/n8n/pnpm');

/**
 * Installs pnpm into `<into>/pnpm`, or finds it there.
 * @param into the folder of the installed n8n versions
 * @returns path of its script
 * @throws {Problem} when it cannot be installed
 */
export async function installPnpm(
	into: string,
	{ logFile, env, signal }: { logFile: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<string> {
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
