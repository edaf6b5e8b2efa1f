const { default: Sequencer } = require('@jest/test-sequencer');

/** Starts the test that waits for five minutes first, so that the other workers run the rest meanwhile. */
module.exports = class extends Sequencer {
	/**
	 * @override
	 * @param {import('@jest/test-result').Test[]} tests
	 */
	async sort(tests) {
		const isWaitTest = (/** @type {{path: string}} */ { path }) => path.endsWith('waits.test.mts');
		const sorted = await super.sort(tests);
		return [...sorted.filter(isWaitTest), ...sorted.filter((test) => !isWaitTest(test))];
	}
};
