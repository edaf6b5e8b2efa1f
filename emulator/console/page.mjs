import { readFile } from 'node:fs/promises';

const FOLDER = new URL('./page/', import.meta.url);
const TYPES = {
	'index.html': 'text/html; charset=utf-8',
	'base.css': 'text/css; charset=utf-8',
	'layout.css': 'text/css; charset=utf-8',
	'controls.css': 'text/css; charset=utf-8',
	'tables.css': 'text/css; charset=utf-8',
	'icon.svg': 'image/svg+xml',
	'main.js': 'text/javascript; charset=utf-8',
	'dom.js': 'text/javascript; charset=utf-8',
	'api.js': 'text/javascript; charset=utf-8',
	'keys.js': 'text/javascript; charset=utf-8',
	'wallets.js': 'text/javascript; charset=utf-8',
	'usage.js': 'text/javascript; charset=utf-8',
	'settings.js': 'text/javascript; charset=utf-8',
};

const SECURITY_HEADERS = {
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cache-control': 'no-cache',
};

/**
 * The console's page and the files it is made of, as a fastify plugin: nothing from elsewhere.
 * @param {import('fastify').FastifyInstance} server
 */
export async function consolePage(server) {
	for (const [name, type] of Object.entries(TYPES)) {
		const path = name === 'index.html' ? '/console' : `/console/${name}`;
		server.get(path, async (_request, reply) =>
			reply
				.headers({ ...SECURITY_HEADERS, 'content-type': type })
				.send(await readFile(new URL(name, FOLDER))),
		);
	}
	server.get('/', async (_request, reply) => reply.redirect('/console'));
	server.get('/console/', async (_request, reply) => reply.redirect('/console'));
}
