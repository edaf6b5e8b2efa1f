// CommonJS, as root.cjs.
const { pathToFileURL } = require('node:url');

/** Node's options that make it run TypeScript, in any working folder. */
exports.typeScriptFlags = ['--import', pathToFileURL(require.resolve('tsx')).href];
