/**
 * The tools of this repository are ES modules, the tests are not: ts-jest would turn an `import()` in them
 * into a `require()`. It leaves this file alone. jest must run with --experimental-vm-modules.
 * @param {string} file path from the repository's root
 */
module.exports = async (file) => await import(`../../${file}`);
