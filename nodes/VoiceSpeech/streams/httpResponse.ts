import type { IDataObject } from 'n8n-workflow';

import type { NodeStream } from './forwardReader';

/** A response with any status. Its body is not read yet. */
export interface HttpResponse {
	statusCode: number;
	/** Header names are in lower case. */
	headers: IDataObject;
	body: NodeStream;
}
