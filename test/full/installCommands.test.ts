import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

import { root } from '../../dev/lib/root.cjs';
import { listBlocks } from '../docs/markdown';
import { packageJson, type PackageJson } from '../support/repository';

const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-docs-'));
// The container's user must be able to read it.
chmodSync(folder, 0o755);
const repository = path.join(folder, 'repository');
const home = path.join(folder, 'home');

const blocks = listBlocks('README.md');
const [make, install, installInContainer] = blocks
	.filter(({ heading, language }) => heading === 'From a file' && language === 'bash')
	.map(({ text }) => text);
const [compose, startContainer] = blocks
	.filter(({ heading }) => heading === 'In a container')
	.map(({ text }) => text);

/** Runs commands next to the package. */
function runCommands(commands: string): void {
	const env = {
		PATH: process.env.PATH,
		HOME: home,
		// Nothing of it needs the registry.
		npm_config_offline: 'true',
		npm_config_update_notifier: 'false',
		npm_config_cache: path.join(folder, 'cache'),
	};
	execFileSync('bash', ['-euc', commands], { cwd: repository, env, stdio: 'pipe' });
}

function expectInstalled(nodes: string): void {
	const installed = path.join(nodes, 'node_modules', packageJson.name);
	const own = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as PackageJson;
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

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the commands of the README put the package into n8n's folder for community nodes", () => {
	runCommands(install!);
	expectInstalled(path.join(home, '.n8n', 'nodes'));
});

it('the volumes of the README are the folders that its commands change', () => {
	const { services, volumes } = parse(compose!) as {
		services: { n8n: { volumes: string[] } };
		volumes: object;
	};
	const mounts = services.n8n.volumes.map((volume) => volume.split(':'));
	const [named, shared] = mounts.map(([source]) => source);
	expect(Object.keys(volumes)).toEqual([named]);
	expect(shared).toBe('./files');
	const [data, files] = mounts.map(([, target]) => target);
	expect(installInContainer).toContain(`--prefix ${data}/nodes `);
	expect(startContainer).toContain(`chown node:node ${files}\n`);
});

it("the commands for a container install it as the container's user", () => {
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
});
