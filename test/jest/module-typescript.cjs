const { transformSync } = require('esbuild');

/**
 * Compiles dev/'s TypeScript modules to CommonJS for jest. ts-jest cannot: TypeScript keeps the imports of each `.mts`
 * file as they are.
 *
 * @type {import('@jest/transform').SyncTransformer}
 */
module.exports = {
	process: (code, sourcefile) =>
		transformSync(code, {
			sourcefile,
			loader: 'ts',
			format: 'cjs',
			target: 'es2022',
			// jest's contexts have no dynamic import.
			supported: { 'dynamic-import': false },
			sourcemap: 'inline',
		}),
};
