import type { Rest } from './rest.mts';

/** A data table in the signed-in person's own project.; `path` in the REST interface, `${path}/rows` has its rows */
export type DataTable = { id: string; path: string };

/**
 * Finds the data table of that name, or creates it.
 * @param table types by the columns' names
 */
export async function putDataTable(
	rest: Rest,
	{
		name,
		columns,
	}: { name: string; columns: Record<string, 'string' | 'number' | 'boolean' | 'date'> },
): Promise<DataTable> {
	const project = await rest.call('GET', '/projects/personal');
	const path = `/projects/${project.id}/data-tables`;
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await rest.call('GET', `${path}?filter=${filter}`);
	// n8n finds names that contain the text, too.
	const existing = data.find((table: DataTable & { name: string }) => table.name === name);
	const { id } =
		existing ??
		(await rest.call('POST', path, {
			name,
			columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
		}));
	return { id, path: `${path}/${id}` };
}
