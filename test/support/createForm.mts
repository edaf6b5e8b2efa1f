/** What a form with these fields sends. */
export function createForm(fields: Record<string, string | File | File[]>): FormData {
	const form = new FormData();
	for (const [name, values] of Object.entries(fields)) {
		for (const value of [values].flat()) form.append(name, value);
	}
	return form;
}
