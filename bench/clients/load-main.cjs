// Loads the package as n8n does, in a process in which n8n-workflow is loaded already, and tells the time.
const { join } = require('node:path');
require('n8n-workflow');

const folder = process.argv[2];
const { n8n } = require(join(folder, 'package.json'));
const from = performance.now();
for (const file of [...n8n.nodes, ...n8n.credentials]) {
	const loaded = require(join(folder, file));
	for (const Made of Object.values(loaded)) {
		if (typeof Made === 'function') new Made();
	}
}
process.stdout.write(String(performance.now() - from));
