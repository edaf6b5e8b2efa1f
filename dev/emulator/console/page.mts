import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import type { FastifyInstance } from 'fastify';
import { root } from '../../lib/root.cjs';

const FOLDER = join(root, 'dev/emulator/console/page');
const PICO = createRequire(join(root, 'package.json')).resolve('@picocss/pico/css/pico.min.css');

const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
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

/** The console's page as a fastify plugin. It loads nothing from other hosts. */
export async function consolePage(server: FastifyInstance) {
	const serve = (url: string, file: string) =>
		server.get(url, async (_request, reply) =>
			reply
				.headers({ ...SECURITY_HEADERS, 'content-type': TYPES[extname(file)] })
				.send(await readFile(file)),
		);
	const script = await bundleScript();
	server.get('/console/main.js', async (_request, reply) =>
		reply
			.headers({ ...SECURITY_HEADERS, 'content-type': 'text/javascript; charset=utf-8' })
			.send(script),
	);
	serve('/console', join(FOLDER, 'index.html'));
	serve('/console/console.css', join(FOLDER, 'console.css'));
	serve('/console/icon.svg', join(FOLDER, 'icon.svg'));
	serve('/console/pico.css', PICO);
	server.get('/', async (_request, reply) => reply.redirect('/console'));
	server.get('/console/', async (_request, reply) => reply.redirect('/console'));
}

/** Browsers do not run TypeScript. */
async function bundleScript(): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [join(FOLDER, 'main.mts')],
		bundle: true,
		format: 'esm',
		write: false,
	});
	return outputFiles[0]?.text ?? '';
}
