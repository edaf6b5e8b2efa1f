/** In a TypeScript test file, ts-jest would turn `import()` into `require()`. */
module.exports = async () => await import('./modules.mjs');
