/** As `npm ci --legacy-peer-deps`: with peers, pnpm would install n8n-core and n8n-workflow once for each set of them. */
module.exports = {
	hooks: {
		readPackage: (/** @type {object} */ manifest) => ({
			...manifest,
			peerDependencies: {},
			peerDependenciesMeta: {},
		}),
	},
};
