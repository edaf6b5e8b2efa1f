const asyncHooks = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { compileFunction } = require('node:vm');
const Runtime = require('jest-runtime').default;

/** These change what n8n reads while it is loaded: they need an n8n of their own. */
const ownN8n = /^process\.env\.N8N_|from '\.\.\/support\/log'/m;

const sources = new Map();
const functions = new Map();

/** Those of modules that are loaded anew: each slows down every promise for as long as it is not switched off. */
const storages = new Set();

const tidyAsyncHooks = {
	...asyncHooks,
	AsyncLocalStorage: class extends asyncHooks.AsyncLocalStorage {
		constructor(...args) {
			super(...args);
			storages.add(this);
		}
	},
};

/** What Node gives for a name. */
function fromNode(from, name) {
	return createRequire(from)(name);
}

function remembered(map, key, make) {
	if (!map.has(key)) map.set(key, make());
	return map.get(key);
}

/**
 * Loads the package's and the tests' modules anew for each file of tests, but compiles each only once, and takes
 * everything else, n8n above all, from Node, which loads it once for the whole process.
 */
module.exports = class SharedRuntime extends Runtime {
	constructor(config, environment, resolver, transformer, cacheFS, coverage, testPath, ...rest) {
		super(config, environment, resolver, transformer, cacheFS, coverage, testPath, ...rest);
		this.shares = !ownN8n.test(readFileSync(testPath, 'utf8'));
		const lasting = (file) => file.startsWith(config.rootDir) || file.includes('/node_modules/');
		const { executor, transformCache } = this;
		const transform = transformCache.transform.bind(transformCache);
		transformCache.transform = (file, options) =>
			lasting(file)
				? remembered(sources, file, () => transform(file, options))
				: transform(file, options);
		executor.compile = (source, filename) => {
			const compile = () =>
				compileFunction(source, executor.injectedModuleParameters, { filename });
			return lasting(filename) ? remembered(functions, filename, compile) : compile();
		};
	}

	requireModuleOrMock(from, name) {
		if (/^(node:)?async_hooks$/.test(name)) return tidyAsyncHooks;
		return this.shares && !/^[./]|^@jest\/globals$/.test(name)
			? fromNode(from, name)
			: super.requireModuleOrMock(from, name);
	}

	/** jest's own: all but what holds the state of one file's run. */
	requireInternalModule(from, name) {
		if (name === 'node:async_hooks') return tidyAsyncHooks;
		return name === undefined || /^[./]/.test(name)
			? super.requireInternalModule(from, name)
			: fromNode(from, name);
	}

	teardown() {
		super.teardown();
		for (const storage of storages) storage.disable();
		storages.clear();
	}
};
