import multipart from '@fastify/multipart';

/**
 * Lets a server read JSON and multipart bodies. A file becomes its name and size.
 * @param {import('fastify').FastifyInstance} server
 */
export async function readBodies(server) {
	await server.register(multipart, { limits: { fileSize: Infinity } });
	server.addHook('preHandler', async (request) => {
		if (!request.isMultipart()) return;
		/** @type {Record<string, unknown>} */
		const fields = {};
		for await (const part of request.parts()) {
			fields[part.fieldname] = part.type === 'field' ? part.value : await describeFile(part);
		}
		request.body = fields;
	});
}

/** @param {import('@fastify/multipart').MultipartFile} part */
async function describeFile({ filename, file }) {
	let bytes = 0;
	for await (const chunk of file) bytes += chunk.length;
	return `${filename} (${bytes} bytes)`;
}
