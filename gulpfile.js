/*
 * The asset pipeline, run by `npm run build` after `n8n-node build`. It replaces what dist then contains: the JavaScript of
 * tsc, which has checked the types, is not bundled, and n8n-node has copied every picture of the repository, the docs' too,
 * which would be most of the package's size.
 */
const { copyFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const esbuild = require('esbuild');
const { dest, series, src } = require('gulp');

const { renderModule } = require('./dev/scripts/opusWasm.cjs');
const { engines, n8n } = require('./package.json');

const nodeFolder = 'nodes/VoiceSpeech';

async function clean() {
	await rm('dist', { recursive: true });
}

/** Modules that are files of their own next to the node, and loaded only to read a recording. */
const lazyModules = ['onDemand', 'opusWasm'];

/**
 * Keeps lazily imported modules out of the file that imports them.
 *
 * @type {esbuild.Plugin}
 */
const importLazily = {
	name: 'importLazily',
	setup(build) {
		build.onResolve(
			{ filter: RegExp(`/(${lazyModules.join('|')})\\.js$`) },
			({ path: file, kind }) =>
				kind === 'dynamic-import' ? { path: `./${path.basename(file)}`, external: true } : null,
		);
	},
};

/**
 * Puts each file that n8n loads into one, with what it imports. Every n8n loads it when it starts, and loading many small
 * files took three times as long (commit cf7fbfdd). It stays readable, because nothing is renamed.
 */
async function bundle() {
	const entries = [...n8n.nodes, ...n8n.credentials].map((file) => path.relative('dist', file));
	/** @type {Array<[output: string, input: string]>} without extensions */
	const outputs = entries.map((file) => [file.replace(/\.js$/, ''), file.replace(/\.js$/, '')]);
	outputs.push([`${nodeFolder}/onDemand`, `${nodeFolder}/audio/convert/onDemand`]);
	const { warnings } = await esbuild.build({
		entryPoints: outputs.map(([output, input]) => ({ out: output, in: `${input}.ts` })),
		bundle: true,
		packages: 'external',
		platform: 'node',
		format: 'cjs',
		// esbuild's name of the oldest Node.js that package.json allows.
		target: engines.node.replace('>=', 'node'),
		outdir: 'dist',
		plugins: [importLazily],
		charset: 'utf8',
		logLevel: 'warning',
	});
	// Most commands build without showing the output of a build that succeeds.
	if (warnings.length > 0) throw new Error('The build must not cause warnings of esbuild.');
}

/**
 * The decoder stays in the form of its package, with its licenses, so that what runs can be compared with what was
 * reviewed.
 */
async function writeOpusDecoder() {
	await writeFile(`dist/${nodeFolder}/opusWasm.js`, renderModule());
	await copyFile('dev/scripts/opusWasm.LICENSE.txt', `dist/${nodeFolder}/opusWasm.LICENSE.txt`);
}

/**
 * Copies the icons, and what n8n reads as JSON next to the node: its categories and search words, and the fields of its
 * outputs, which n8n offers before the first call.
 */
function copyAssets() {
	const files = ['icons/*', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];
	return src(files, { base: '.' }).pipe(dest('dist'));
}

exports.assets = series(clean, bundle, writeOpusDecoder, copyAssets);
