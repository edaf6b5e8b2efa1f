import { putDataTable } from '../n8n/data-tables.mjs';

/**
 * The data tables of the examples, by the setting that has their ID.
 * @type {Record<string, Parameters<typeof putDataTable>[1]>}
 */
const tables = {
	retryListId: {
		name: 'Retry list',
		columns: {
			...{ recordingId: 'string', input: 'string', message: 'string', description: 'string' },
			tries: 'number',
		},
	},
	uploadsTableId: { name: 'Bucket uploads', columns: { upload: 'string' } },
	voicesTableId: { name: 'Voice names', columns: { name: 'string', voiceId: 'string' } },
};

/**
 * Creates the data tables that the examples use, unless they exist.
 * @param {import('../n8n/rest.mjs').Rest} rest
 * @returns {Promise<Record<string, import('../n8n/data-tables.mjs').DataTable>>} by the setting that has their ID
 */
export async function createTables(rest) {
	/** @type {Record<string, import('../n8n/data-tables.mjs').DataTable>} */
	const created = {};
	for (const [setting, table] of Object.entries(tables)) {
		created[setting] = await putDataTable(rest, table);
	}
	return created;
}
