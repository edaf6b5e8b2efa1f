// The lint of n8n reads the TypeScript of all folders, and its rules are for code that runs inside of n8n. The tests are
// judged by `npm run lint:typed`, with the rules of all our code.
export default [{ ignores: ['**'] }];
