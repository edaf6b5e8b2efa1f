/**
 * The asset pipeline, run by `npm run build` after `n8n-node build`: tsc has checked the types and written the
 * JavaScript by then, and n8n-node has copied every picture of the repository into dist, the docs' included.
 */
const { copyFile, readdir, rm, rmdir, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { Transform } = require('node:stream');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { optimize } = require('svgo');

const { renderModule } = require('./dev/scripts/opusWasm.cjs');
const { n8n } = require('./package.json');

const nodeFolder = 'nodes/VoiceSpeech';

/** Only icons are published: a screenshot would be most of the package's size. */
async function removeOtherPictures() {
	const files = await readdir('dist', { recursive: true });
	for (const picture of files.filter((file) => /\.(png|svg)$/i.test(file))) {
		await rm(path.join('dist', picture));
		await removeEmptyFolders(path.join('dist', path.dirname(picture)));
	}
}

/** @param {string} folder a folder in dist, removed with those around it that it leaves empty */
async function removeEmptyFolders(folder) {
	if (path.resolve(folder) === path.resolve('dist') || (await readdir(folder)).length > 0) return;
	await rmdir(folder);
	await removeEmptyFolders(path.dirname(folder));
}

/** Modules that are files of their own next to the node, and loaded only to convert a recording. */
const lazyModules = ['convertAudio', 'opusWasm'];

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
	/** @type {Array<[out: string, in: string]>} without extensions */
	const outputs = entries.map((file) => [file.replace(/\.js$/, ''), file.replace(/\.js$/, '')]);
	outputs.push([`${nodeFolder}/convertAudio`, `${nodeFolder}/audio/convert/convertAudio`]);
	await rm('dist/nodes', { recursive: true });
	await rm('dist/credentials', { recursive: true });
	// tsc's copy, which nothing loads.
	await rm('dist/package.json');
	const { warnings } = await esbuild.build({
		entryPoints: outputs.map(([output, input]) => ({ out: output, in: `${input}.ts` })),
		bundle: true,
		packages: 'external',
		platform: 'node',
		format: 'cjs',
		target: 'node20',
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

function optimizeIcons() {
	return src('icons/*.svg')
		.pipe(
			new Transform({
				objectMode: true,
				transform(file, _encoding, done) {
					const { data } = optimize(file.contents.toString(), { path: file.path, multipass: true });
					file.contents = Buffer.from(data);
					done(null, file);
				},
			}),
		)
		.pipe(dest('dist/icons'));
}

/**
 * What n8n reads as JSON next to the node: its categories and search words, and the fields of its outputs, which n8n offers
 * before the first call. tsc copies them too, as long as tsconfig.json includes them.
 */
function copyJson() {
	return src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], { base: '.' }).pipe(
		dest('dist'),
	);
}

exports.assets = series(
	removeOtherPictures,
	bundle,
	writeOpusDecoder,
	parallel(optimizeIcons, copyJson),
);
