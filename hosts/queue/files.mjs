import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Where n8n keeps files, so that every process reaches them.
 * @param {'database' | 'folder'} mode
 * @param {string} folder
 * @returns {Promise<Record<string, string>>}
 */
export async function binarySettings(mode, folder) {
	if (mode === 'database') return { N8N_DEFAULT_BINARY_DATA_MODE: 'database' };
	const shared = join(folder, 'shared-files');
	await mkdir(shared, { recursive: true });
	return { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem', N8N_STORAGE_PATH: shared };
}
