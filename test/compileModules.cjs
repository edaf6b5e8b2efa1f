const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { transformSync, version } = require('esbuild');

/** Code that jest has cached is compiled again after a change of this file or of esbuild. */
const compiler = `${readFileSync(__filename, 'utf8')}${version}`;

/**
 * Compiles TypeScript, and packages that are ES modules only, to CommonJS for jest. Unlike ts-jest, it does not load the
 * TypeScript compiler in each of jest's processes, and replaces the imports of `.mts` files.
 */
module.exports = {
	/** @type {(code: string, path: string, options: { instrument: boolean }) => string} */
	getCacheKey: (code, path, { instrument }) =>
		createHash('sha256')
			.update(JSON.stringify([compiler, path, code, instrument]))
			.digest('hex'),
	/** @type {(code: string, path: string) => { code: string }} */
	process: (code, path) =>
		transformSync(code, {
			// In a file `.mts`, esbuild takes the default of a package that is a module for the entire module.
			sourcefile: path.replace(/\.mts$/, '.ts'),
			loader: 'ts',
			format: 'cjs',
			target: 'es2022',
			// jest's contexts have no dynamic import.
			supported: { 'dynamic-import': false },
			sourcemap: 'inline',
		}),
};
