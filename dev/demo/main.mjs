// This file must run on any Node: it reports a Node that is too old.
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
	console.error(
		'The demo needs Node 20 or later, and this is Node ' +
			process.versions.node +
			'. Install a current Node (https://nodejs.org), then run it again.',
	);
	process.exitCode = 1;
} else {
	import('./cli.mjs').then(({ runCli }) => runCli(process.argv.slice(2)));
}
