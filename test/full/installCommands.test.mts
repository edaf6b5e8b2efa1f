import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

import { root } from '../../dev/lib/root.cjs';
import { listBlocks } from '../support/markdown.mts';
import { packageJson, type PackageJson } from '../support/repository.mts';
import { createTestFolder } from '../support/testFolder.mts';

const folder = createTestFolder();
// The container's user must be able to read it.
chmodSync(folder, 0o755);
const repository = path.join(folder, 'repository');
const home = path.join(folder, 'home');

const findBlocks = (heading: string, language = '') =>
	listBlocks('docs/how-to.md')
		.filter((block) => block.heading === heading && block.language.startsWith(language))
		.map(({ text }) => text);
const [make, install, installInContainer] = findBlocks('Install from a file', 'bash');
const [remove, removeInContainer] = findBlocks('Update or remove it', 'bash');
const [compose, startContainer] = findBlocks('Start n8n in a container');

/** Runs commands next to the package, and returns what they print. */
function runCommands(commands: string, userHome = home): string {
	const env = {
		PATH: process.env.PATH,
		HOME: userHome,
		// Nothing of it needs the registry.
		npm_config_offline: 'true',
		npm_config_update_notifier: 'false',
		npm_config_cache: path.join(folder, 'cache'),
	};
	const options = { cwd: repository, env, stdio: 'pipe', encoding: 'utf8' } as const;
	return execFileSync('bash', ['-euc', commands], options);
}

const readPackage = (parent: string) =>
	JSON.parse(readFileSync(path.join(parent, 'package.json'), 'utf8')) as PackageJson & {
		dependencies?: Record<string, string>;
	};

function writePackage(parent: string, content: object): void {
	mkdirSync(parent, { recursive: true });
	writeFileSync(path.join(parent, 'package.json'), JSON.stringify(content));
}

/** Installs or updates a package as n8n does: unpacks it, and writes no package-lock.json. */
function installAsN8n(nodes: string, name: string, version: string): void {
	const target = path.join(nodes, 'node_modules', name);
	rmSync(target, { recursive: true, force: true });
	writePackage(target, { name, version });
	const list = readPackage(nodes);
	writePackage(nodes, { ...list, dependencies: { ...list.dependencies, [name]: version } });
}

/** The version of each package in n8n's folder. */
function listVersions(nodes: string): Record<string, string> {
	const modules = path.join(nodes, 'node_modules');
	const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
	const versions = names.map((name) => [name, readPackage(path.join(modules, name)).version]);
	return Object.fromEntries(versions) as Record<string, string>;
}

function expectInstalled(nodes: string): void {
	const installed = path.join(nodes, 'node_modules', packageJson.name);
	const own = readPackage(installed);
	expect(own.version).toBe(packageJson.version);
	for (const file of [...own.n8n.nodes, ...own.n8n.credentials]) {
		expect(existsSync(path.join(installed, file))).toBe(true);
	}
}

beforeAll(() => {
	// The package as it is built, which the command of this suite has just done.
	for (const name of ['package.json', 'README.md', 'LICENSE', 'dist']) {
		cpSync(path.join(root, name), path.join(repository, name), { recursive: true });
	}
	runCommands(make!.replace(/^npm (ci|run build)$/gm, ''));
});

it("the commands of docs/how-to.md put the package into n8n's folder for community nodes", () => {
	runCommands(install!);
	expectInstalled(path.join(home, '.n8n', 'nodes'));
});

it('the volumes of compose.yaml are the folders that its commands change', () => {
	const { services, volumes } = parse(compose!) as {
		services: { n8n: { volumes: [string, string] } };
		volumes: object;
	};
	const [data, files] = services.n8n.volumes.map((volume) => volume.split(':'));
	expect([Object.keys(volumes), files?.[0]]).toEqual([[data?.[0]], './files']);
	expect(installInContainer).toContain(`--prefix ${data?.[1]}/nodes `);
	expect(startContainer).toContain(`chown node:node ${files?.[1]}\n`);
});

it("the commands for a container install and remove it as the container's user", () => {
	// Only root can run commands as another user, and give a folder away. Anybody else is the container's only user.
	const isRoot = userInfo().uid === 0;
	const { uid, gid } = isRoot ? { uid: 1000, gid: 1000 } : userInfo();
	// A folder in place of n8n's image. The image runs as the user `node` with the ID 1000, who owns .n8n. It has no
	// .n8n-files, so Docker creates that for root.
	const container = path.join(folder, 'container');
	for (const name of ['.n8n', '.n8n-files', 'tmp']) {
		mkdirSync(path.join(container, name), { recursive: true });
	}
	for (const name of ['', '.n8n']) chownSync(path.join(container, name), uid, gid);
	const changeUser = isRoot ? `setpriv --reuid ${uid} --regid ${gid} --clear-groups` : '';
	const asNode = `${changeUser} env HOME=${container} npm_config_cache=${container}/.npm`;
	const docker = `docker() {
		case "$2 \${4-}" in
			'up '*) ;;
			'cp '*) cp "$3" "\${4#n8n:}" ;;
			'exec node') (cd ${container} && ${asNode} "\${@:6}") ;;
			'exec root') "\${@:6}" ;;
			*) false ;;
		esac
	}\n`;
	const runInContainer = (commands: string) =>
		runCommands(
			docker +
				commands
					.replace(/\/tmp\/(?=n8n-nodes|$)/gm, `${container}/tmp/`)
					.replaceAll('/home/node', container)
					.replaceAll('node:node', `${uid}:${gid}`),
		);
	const save = 'docker compose exec -u node n8n touch /home/node/.n8n-files/speech.wav';

	// Without root, .n8n-files belongs to the container's user from the beginning, so saving works before chown, too. The
	// test of the volumes checks without root that the commands give this folder away.
	if (isRoot) expect(() => runInContainer(save)).toThrow('Permission denied');
	runInContainer(startContainer!);
	runInContainer(save);

	runInContainer(installInContainer!);
	expectInstalled(path.join(container, '.n8n', 'nodes'));
	expect(statSync(path.join(container, '.n8n', 'nodes', 'node_modules')).uid).toBe(uid);

	runInContainer(removeInContainer!);
	expect(listVersions(path.join(container, '.n8n', 'nodes'))).toEqual({});
});

it('the commands use the same options of npm on all systems', () => {
	const texts = [...findBlocks('Install from a file'), ...findBlocks('Update or remove it')].join();
	const commands = texts.match(/npm (un)?install .* --prefix/g);
	const same = expect.stringMatching(/install --legacy-peer-deps --package-lock=false --prefix$/);
	expect(commands).toEqual(Array(6).fill(same));
	expect(texts.match(/rm .*nodes[\\/]package-lock\.json/g)).toHaveLength(6);
});

it('the commands need no registry, and keep other packages', () => {
	const { name, version } = packageJson;
	const userHome = path.join(folder, 'other-home');
	const nodes = path.join(userHome, '.n8n', 'nodes');
	const lock = path.join(nodes, 'package-lock.json');
	const other = { name: 'other', version: '1.0.0', peerDependencies: { 'n8n-workflow': '*' } };
	writePackage(path.join(folder, 'other'), other);
	writePackage(nodes, { private: true });
	installAsN8n(nodes, 'from-n8n', '1.0.0');
	const file = runCommands('npm pack ../other').trim();
	runCommands(`npm install --legacy-peer-deps --prefix ~/.n8n/nodes ./${file}`, userHome);
	// Without another option, npm writes this file, which n8n does not update.
	expect(existsSync(lock)).toBe(true);

	installAsN8n(nodes, 'from-n8n', '1.1.0');
	runCommands(install!, userHome);
	expect(listVersions(nodes)).toEqual({ other: '1.0.0', 'from-n8n': '1.1.0', [name]: version });
	expect(existsSync(lock)).toBe(false);

	installAsN8n(nodes, 'from-n8n', '1.2.0');
	const next = '1000.0.0';
	runCommands(`npm version --no-git-tag-version ${next}; npm pack`);
	runCommands(install!.replace(version, next), userHome);
	expect(listVersions(nodes)).toEqual({ other: '1.0.0', 'from-n8n': '1.2.0', [name]: next });

	installAsN8n(nodes, 'from-n8n', '1.3.0');
	const list = remove!.trim().split('\n').at(-1)!.replace('uninstall', 'ls');
	// npm also reports an error, because it no longer knows which file the package is from.
	expect(runCommands(`${list} || true`, userHome)).toContain(`${name}@${next}`);
	runCommands(remove!, userHome);
	expect(listVersions(nodes)).toEqual({ other: '1.0.0', 'from-n8n': '1.3.0' });
	expect(existsSync(lock)).toBe(false);
});
