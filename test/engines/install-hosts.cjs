/** @type {{ projects: Array<{ displayName: string }> }} */
const { projects } = /** @type {any} */ (require('./jest.config.cjs'));

/** Installs each n8n whose engine the tests run on, unless it is there. */
module.exports = async () => {
	const { installHost } = await import('../../dev/n8n/install.mjs');
	for (const { displayName } of projects) await installHost(displayName.replace('n8n-', ''));
};
