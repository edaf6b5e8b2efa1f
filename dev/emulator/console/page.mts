import { build } from 'esbuild';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

import { root } from '../../lib/root.cjs';

const folder = path.join(root, 'dev/emulator/console/page');

const contentTypes: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

const securityHeaders = {
	'content-security-policy':
		// Pico's icons are data URLs.
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cache-control': 'no-cache',
};

/**
 * The console's page as a fastify plugin. It loads nothing from other hosts. esbuild bundles its files in memory at the
 * start, because browsers do not run TypeScript, and the style sheet imports Pico from its package.
 */
export async function serveConsolePage(server: FastifyInstance) {
	const { outputFiles } = await build({
		entryPoints: ['index.html', 'icon.svg', 'console.css', 'main.mts'].map((name) =>
			path.join(folder, name),
		),
		bundle: true,
		format: 'esm',
		loader: { '.html': 'copy', '.svg': 'copy' },
		outdir: folder,
		write: false,
	});
	for (const file of outputFiles) {
		const name = path.basename(file.path);
		const headers = { ...securityHeaders, 'content-type': contentTypes[path.extname(name)] };
		const content = Buffer.from(file.contents);
		server.get(`/console/${name}`, (_request, reply) => reply.headers(headers).send(content));
		if (name === 'index.html') {
			server.get('/console', (_request, reply) => reply.headers(headers).send(content));
		}
	}
	for (const address of ['/', '/console/']) {
		server.get(address, (_request, reply) => reply.redirect('/console'));
	}
}
