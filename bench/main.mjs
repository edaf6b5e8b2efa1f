// Nothing that an old Node can't read may stand in this file: it is what tells people that theirs is old.
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
	console.error(
		'The bench needs Node 20 or later, and this is Node ' + process.versions.node + '.',
	);
	process.exitCode = 1;
} else {
	import('./cli.mjs').then(
		({ runCli }) => runCli(process.argv.slice(2)),
		(error) => {
			console.error(
				error.code === 'ERR_MODULE_NOT_FOUND'
					? 'The packages of this repository are not installed: start the bench with "npm run bench", which installs them.'
					: 'The bench cannot be loaded: ' + error.message,
			);
			process.exitCode = 1;
		},
	);
}
