/**
 * Imports an ES module. In a TypeScript test file, ts-jest would turn `import()` into `require()`.
 * @param {string} file path from the repository's root
 */
module.exports = async (file) => await import(`../../${file}`);
