/**
 * A data table in the signed-in person's own project.
 * @typedef {{id: string, path: string}} DataTable `path` in the REST interface, `${path}/rows` has its rows
 */

/**
 * Finds the data table of that name, or creates it.
 * @param {import('./rest.mjs').Rest} rest
 * @param {{name: string, columns: Record<string, 'string' | 'number' | 'boolean' | 'date'>}} table types by the columns' names
 * @returns {Promise<DataTable>}
 */
export async function putDataTable(rest, { name, columns }) {
	const project = await rest.call('GET', '/projects/personal');
	const path = `/projects/${project.id}/data-tables`;
	const filter = encodeURIComponent(JSON.stringify({ name }));
	/** @type {{data: {id: string, name: string}[]}} */
	const { data } = await rest.call('GET', `${path}?filter=${filter}`);
	// n8n finds names that contain the text, too.
	const existing = data.find((table) => table.name === name);
	const { id } =
		existing ??
		(await rest.call('POST', path, {
			name,
			columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
		}));
	return { id, path: `${path}/${id}` };
}
