import type { Rest } from '../n8n/rest.mts';

interface TableDefinition {
	name: string;
	/** Types by the columns' names. */
	columns: Record<string, 'string' | 'number' | 'boolean' | 'date'>;
}

/** A data table in the signed-in person's own project. */
export interface DataTable {
	id: string;
	/** In the REST interface; `${path}/rows` has the rows. */
	path: string;
}

interface SavedTable {
	id: string;
	name: string;
}

/** The data tables of the examples, by the setting that has their ID. */
const definitions: Record<string, TableDefinition> = {
	retryListId: {
		name: 'Retry list',
		columns: {
			recordingId: 'string',
			input: 'string',
			message: 'string',
			description: 'string',
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
	const project: { id: string } = await rest.call('GET', '/projects/personal');
	const path = `/projects/${project.id}/data-tables`;
	const existing: { data: SavedTable[] } = await rest.call('GET', path);
	const tables: Record<string, DataTable> = {};
	for (const [setting, { name, columns }] of Object.entries(definitions)) {
		const table: SavedTable =
			existing.data.find((one) => one.name === name) ??
			(await rest.call('POST', path, {
				name,
				columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
			}));
		tables[setting] = { id: table.id, path: `${path}/${table.id}` };
	}
	return tables;
}
