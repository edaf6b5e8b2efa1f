/** Loads the ES modules that the tests use. ts-jest would turn `import()` in a TypeScript file into `require()`. */
exports.loadTools = async () => await import('./modules.mjs');
