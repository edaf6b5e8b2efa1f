// This file must run on any Node: it reports a Node that is too old.
const { node } = process.versions;
if (Number.parseInt(node) < 20) {
	console.error(
		`The demo needs Node 20 or later, and this is Node ${node}. Install a current Node (https://nodejs.org), then run it again.`,
	);
	process.exitCode = 1;
} else {
	import('./cli.mjs').then(({ runCli }) => runCli(process.argv.slice(2)));
}
