import multipart from '@fastify/multipart';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';

/** Lets a server read JSON and multipart bodies. A file becomes its name and size. */
export async function readBodies(server: FastifyInstance) {
	await server.register(multipart, { limits: { fileSize: Infinity } });
	server.addHook('preHandler', async (request) => {
		if (!request.isMultipart()) return;
		const fields: Record<string, unknown> = {};
		for await (const part of request.parts()) {
			fields[part.fieldname] = part.type === 'field' ? part.value : await describeFile(part);
		}
		request.body = fields;
	});
}

async function describeFile({ filename, file }: MultipartFile) {
	let bytes = 0;
	for await (const chunk of file) bytes += chunk.length;
	return `${filename} (${bytes} bytes)`;
}
