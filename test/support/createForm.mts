/** What a form with these fields sends, in this order. */
export function createForm(fields: Record<string, string | File | File[]>): FormData {
	const form = new FormData();
	for (const [name, values] of Object.entries(fields)) {
		for (const value of [values].flat()) form.append(name, value);
	}
	return form;
}

/** The usual upload of a recording. */
export const createUpload = (file: Buffer, fields: Record<string, string> = {}): FormData =>
	createForm({ file: new File([file], 'recording.wav'), ...fields });
