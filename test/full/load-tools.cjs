/** Loads the ES modules that the tests use, with `importOnce` of test/jest/environment.cjs. */
exports.loadTools = async () => await importOnce(require.resolve('./modules.mjs'));
