import type { Rest } from '../n8n/rest.mts';

/** A data table in the signed-in person's own project. */
export interface DataTable {
	id: string;
	/** Path in n8n's REST interface; `${path}/rows` has the rows. */
	path: string;
}

/** The data tables of the examples, by the setting that has their ID. `columns` has the types by name. */
const definitions: Record<string, { name: string; columns: Record<string, string> }> = {
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
	episodesTableId: { name: 'Podcast episodes', columns: { episode: 'string' } },
	qualityTableId: {
		name: 'Call quality',
		columns: {
			recording: 'string',
			score: 'number',
			answers: 'string',
			transcript: 'string',
			check: 'string',
		},
	},
	uploadsTableId: { name: 'Bucket uploads', columns: { upload: 'string' } },
	voicesTableId: { name: 'Voice names', columns: { name: 'string', voiceId: 'string' } },
};

/**
 * Creates the data tables that the examples use, unless they exist.
 *
 * @returns the tables, by the setting that has their ID
 */
export async function createDataTables(rest: Rest): Promise<Record<string, DataTable>> {
	const project: { id: string } = await rest.call('GET', '/projects/personal');
	const path = `/projects/${project.id}/data-tables`;
	const { data: existing }: { data: Array<{ id: string; name: string }> } = await rest.call(
		'GET',
		path,
	);
	const tables: Record<string, DataTable> = {};
	for (const [setting, { name, columns }] of Object.entries(definitions)) {
		const list = Object.entries(columns).map(([column, type]) => ({ name: column, type }));
		const { id }: { id: string } =
			existing.find((one) => one.name === name) ??
			(await rest.call('POST', path, { name, columns: list }));
		tables[setting] = { id, path: `${path}/${id}` };
	}
	return tables;
}
