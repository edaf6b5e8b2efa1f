// CommonJS, so that jest, which compiles TypeScript to CommonJS, and Node's ES modules read the same folder names.
const path = require('node:path');
const { pathToFileURL } = require('node:url');

/** Absolute path of the repository. */
exports.root = path.resolve(__dirname, '../..');

/** Node's options that make it run TypeScript, in any working folder. */
exports.typeScriptFlags = ['--import', pathToFileURL(require.resolve('tsx')).href];
