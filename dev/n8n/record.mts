import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Host } from './install.mts';
import type { Manifest } from './package.mts';

/** Runs inside the host's own Node, which has the SQLite that fits it. */
const script = `
	const [sqlite3, file, statements] = process.argv.slice(1);
	const { Database } = require(sqlite3);
	const database = new Database(file);
	database.configure('busyTimeout', 10000);
	database.serialize(() => {
		for (const [sql, ...values] of JSON.parse(statements)) {
			database.run(sql, values, (error) => { if (error) throw error; });
		}
	});
	database.close((error) => { if (error) throw error; });
`;

/**
 * Adds the placed package to n8n's database, as its own installation does: "Settings > Community
 * nodes" lists it then. n8n may be running. For n8n on SQLite.
 * @param nodeTypes all that n8n has loaded
 * @throws when n8n has not loaded a node of the package, or the database refuses
 */
export function recordPackage(
	host: Host,
	userFolder: string,
	manifest: Manifest,
	nodeTypes: { name: string; displayName: string; version: number | number[] }[],
): void {
	const loaded = nodeTypes.filter(({ name }) => name.startsWith(`${manifest.name}.`));
	// n8n makes the variants for its agents ("...Tool") itself, and does not enter them.
	const own = loaded.filter(({ name }) => !loaded.some((other) => `${other.name}Tool` === name));
	if (own.length === 0) throw new Error(`n8n has not loaded ${manifest.name}`);
	const statements = [
		[
			`INSERT INTO installed_packages (packageName, installedVersion, authorName, authorEmail)
				VALUES (?, ?, ?, ?)
				ON CONFLICT (packageName) DO UPDATE SET installedVersion = excluded.installedVersion`,
			...[manifest.name, manifest.version, manifest.author?.name, manifest.author?.email],
		],
		['DELETE FROM installed_nodes WHERE package = ?', manifest.name],
		...own.map(({ name, displayName, version }) => [
			'INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
			...[displayName, name, Math.max(...[version].flat()), manifest.name],
		]),
	];
	const sqlite3 = join(host.folder, 'node_modules', 'sqlite3');
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const run = spawnSync(host.node, ['-e', script, sqlite3, file, JSON.stringify(statements)], {
		encoding: 'utf8',
	});
	if (run.status !== 0)
		throw new Error(`The package was not entered in n8n's database: ${run.stderr}`);
}
