module.exports = async () => await globalThis.stopDemo();
