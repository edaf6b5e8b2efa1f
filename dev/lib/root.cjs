// CommonJS, so that jest, which compiles TypeScript to CommonJS, and Node's ES modules read the same folder names.
const path = require('node:path');

/** Absolute path of the repository. */
exports.root = path.resolve(__dirname, '../..');
