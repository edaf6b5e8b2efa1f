module.exports = async () => await /** @type {any} */ (globalThis).stopDemo?.();
