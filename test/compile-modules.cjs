const { transformSync } = require('esbuild');

/**
 * Compiles ES modules to CommonJS for jest: those of dev/, and packages that are ES modules only. ts-jest cannot,
 * because TypeScript keeps the imports of each `.mts` file as they are.
 *
 * @type {import('@jest/transform').SyncTransformer}
 */
module.exports = {
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
