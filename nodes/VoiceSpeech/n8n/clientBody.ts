import type { Field } from '../call/fields';
import type { RequestBody, Upload } from '../call/request';

/*
 * The body of a request as n8n's client takes it. n8n hands it to axios unchanged, also a File with overridden members.
 * test/engine/requests.test.mts, test/engine/rawRequests.test.mts and test/credits/filesInMemory.test.mts check that on
 * every n8n of test/support/n8nVersions.mts.
 */

/** A body, and its Content-Type. */
export interface ClientBody {
	content: FormData | File | Buffer;
	/** Undefined for a form, whose type n8n's client adds with its own boundary. */
	contentType: string | undefined;
}

/**
 * Creates a file whose bytes are read only while they are sent. n8n's client reads name, type and size for the part's
 * header and Content-Length, then iterates over `stream()`. Without a type, it sends application/octet-stream.
 */
function createFile({ fileName, mimeType, size, read }: Upload): File {
	return Object.defineProperties(new File([], fileName, { type: mimeType }), {
		// The size is not a number if the length is unknown. The client then sends in chunks, without Content-Length.
		size: { value: size ?? NaN },
		stream: {
			value: read,
			// n8n's client drops a body that is an object without enumerable properties.
			enumerable: true,
		},
	});
}

function appendFields(form: FormData, fields: Field[]): void {
	for (const [name, value] of fields) {
		form.append(name, typeof value === 'string' ? value : value.text);
	}
}

export function createClientBody(body: RequestBody): ClientBody {
	switch (body.kind) {
		case 'json':
			// Bytes, so that no part of n8n's client parses, trims or escapes the text again.
			return { content: Buffer.from(body.text), contentType: 'application/json' };
		case 'form': {
			const form = new FormData();
			appendFields(form, body.fields);
			return { content: form, contentType: undefined };
		}
		case 'audioForm': {
			const form = new FormData();
			// The third argument is left out, because a name would replace the file by a copy without bytes.
			form.append(body.fileFieldName, createFile(body.upload));
			appendFields(form, body.fields);
			return { content: form, contentType: undefined };
		}
		case 'audioBody': {
			const file = createFile(body.upload);
			// The type is that of the file, in lower case, as a form sends it too.
			return { content: file, contentType: file.type || 'application/octet-stream' };
		}
	}
}
