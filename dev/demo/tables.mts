import { putDataTable } from '../n8n/data-tables.mts';
import type { Rest } from '../n8n/rest.mts';
import type { DataTable } from '../n8n/data-tables.mts';

/** The data tables of the examples, by the setting that has their ID. */
const tables: Record<string, Parameters<typeof putDataTable>[1]> = {
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
 * @returns by the setting that has their ID
 */
export async function createTables(rest: Rest): Promise<Record<string, DataTable>> {
	const created: Record<string, DataTable> = {};
	for (const [setting, table] of Object.entries(tables)) {
		created[setting] = await putDataTable(rest, table);
	}
	return created;
}
