import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('./page/', import.meta.url));
const PICO = createRequire(import.meta.url).resolve('@picocss/pico/css/pico.min.css');

/** @type {Record<string, string>} */
const TYPES = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.mjs': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

const SECURITY_HEADERS = {
	'content-security-policy':
		// Pico's icons are data URLs.
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cache-control': 'no-cache',
};

/**
 * The console's page as a fastify plugin. It loads nothing from other hosts.
 * @param {import('fastify').FastifyInstance} server
 */
export async function consolePage(server) {
	/** @param {string} url @param {string} file */
	const serve = (url, file) =>
		server.get(url, async (_request, reply) =>
			reply
				.headers({ ...SECURITY_HEADERS, 'content-type': TYPES[extname(file)] })
				.send(await readFile(file)),
		);
	for (const name of await readdir(FOLDER)) serve(`/console/${name}`, join(FOLDER, name));
	serve('/console', join(FOLDER, 'index.html'));
	serve('/console/pico.css', PICO);
	server.get('/', async (_request, reply) => reply.redirect('/console'));
	server.get('/console/', async (_request, reply) => reply.redirect('/console'));
}
