/** Replaces the files of n8n's packages in tests by what the test environment has loaded, see environment.cjs. */
module.exports = {
	/** @param {string} _source @param {string} file */
	process: (_source, file) => ({
		code: `module.exports = requireOnce(${JSON.stringify(file)});`,
	}),
};
