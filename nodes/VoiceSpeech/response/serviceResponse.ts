import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { ResponseBody, type ResponseStream } from './body';

/** A response of the service, its body still to be read. */
export class ServiceResponse {
	private constructor(
		/** As the service declared it; empty where it did not. */
		readonly contentType: string,
		readonly body: ResponseBody,
	) {}

	/**
	 * Reads the first bytes of the body. Does not throw.
	 *
	 * @param onBytes called whenever bytes arrive
	 */
	static async open(
		{ headers, body }: IN8nHttpFullResponse,
		onBytes: () => void,
	): Promise<ServiceResponse> {
		const contentType = headers['content-type'];
		return new ServiceResponse(
			typeof contentType === 'string' ? contentType : '',
			await ResponseBody.open(body as unknown as ResponseStream, onBytes),
		);
	}
}
