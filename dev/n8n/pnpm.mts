import { join } from 'node:path';
import { runProcess } from '../lib/processes.mts';
import type { ProcessResult } from '../lib/processes.mts';
import { root } from '../lib/root.cjs';

/**
 * Runs the pnpm of our package.json.
 * @param into the folder of the installed n8n versions, which share most of their packages in one store
 */
export async function runPnpm(
	args: string[],
	into: string,
	options: Parameters<typeof runProcess>[2],
): Promise<ProcessResult> {
	const script = join(root, 'node_modules/pnpm/bin/pnpm.cjs');
	const settings = [
		`--config.store-dir=${join(into, 'store')}`,
		`--config.pnpmfile=${join(root, 'dev/n8n/pnpmfile.cjs')}`,
	];
	return await runProcess(process.execPath, [script, ...args, ...settings], options);
}
