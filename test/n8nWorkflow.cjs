const errors = require('n8n-workflow/dist/cjs/errors/index.js');
const { sleep } = require('n8n-workflow/dist/cjs/utils.js');

const neededOften = { __esModule: true, ...errors, sleep };

/** @type {object | undefined} */
let everything;

function loadAll() {
	everything ??= /** @type {object} */ (require('n8n-workflow/dist/cjs/index.js'));
	return everything;
}

/**
 * What the tests load as `n8n-workflow`, and n8n-core in them too. Most of their files need only its errors and `sleep`,
 * which load in a quarter of the time. Anything else, such as listing the names, loads the entire package.
 */
module.exports = new Proxy(neededOften, {
	get: (target, name) => Reflect.get(Object.hasOwn(target, name) ? target : loadAll(), name),
	has: (target, name) => Object.hasOwn(target, name) || Reflect.has(loadAll(), name),
	ownKeys: () => Reflect.ownKeys(loadAll()),
	getOwnPropertyDescriptor(_target, name) {
		const found = Reflect.getOwnPropertyDescriptor(loadAll(), name);
		// A proxy may report only such properties if its target does not have them.
		return found && { ...found, configurable: true };
	},
});
