/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { statSync } from 'node:fs';
import path from 'node:path';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { HOME, read, ROOT, trackedFiles } from '../package/repository';
import { anchorsOf, linksOf, markdownFiles, targetFile, type Link } from './markdown';

const isOutside = ({ target }: Link) => /^(https?|mailto):/.test(target);

const links = markdownFiles.flatMap(linksOf);
const inside = links.filter((link) => !isOutside(link));

const shown = ({ place, target }: Link) => `${place} -> ${target}`;

/** Whether git tracks it: a file, or a folder with files. */
const isTracked = (file: string) =>
	trackedFiles.includes(file) || trackedFiles.some((each) => each.startsWith(`${file}/`));

it('links lead to files of the repository, and to headings in them', () => {
	const broken = inside.filter((link) => {
		const [, anchor] = link.target.split('#');
		const file = targetFile(link).replace(/\/$/, '');
		if (!isTracked(file)) return true;
		return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
	});
	expect(broken.map(shown)).toEqual([]);
});

it('paths in the pages for contributors exist', () => {
	const pages = [
		'CONTRIBUTING.md',
		...markdownFiles.filter((file) => file.includes('/development/')),
	];
	const missing = pages.flatMap((page) =>
		[...read(page).matchAll(/`([\w.-]*\/?[\w./-]+\.(?:tsx?|[cm]?js|json|yaml|yml))`/g)]
			.map(([, name]) => name!)
			.filter((name) => !trackedFiles.some((file) => `/${file}`.endsWith(`/${name}`)))
			.map((name) => `${page}: ${name}`),
	);
	expect(missing).toEqual([]);
});

it('pictures have a description, load quickly, are made by a test, and are shown', () => {
	const images = links.filter(({ isImage }) => isImage);
	for (const { file, target, place } of images) {
		const line = read(file).split('\n')[Number(place.split(':')[1]) - 1];
		expect([place, line]).toEqual([place, expect.stringMatching(/!\[[^\]]{20,}\]/)]);
		const largest = target.endsWith('.gif') ? 2_000_000 : 200_000;
		expect(statSync(path.join(ROOT, path.dirname(file), target)).size).toBeLessThan(largest);
	}
	const ofExamples = trackedFiles
		.filter((file) => /^examples\/.*\.json$/.test(file))
		.map((file) => `docs/images/${file.replace('.json', '.png')}`);
	const makers = trackedFiles.filter((file) => /^test\/browser\/.*\.ts$/.test(file)).map(read);
	const made = makers.flatMap((source) =>
		[...source.matchAll(/\.(picture|film)\(\s*'([\w-]+)'/g)].map(
			([, kind, name]) => `docs/images/${name}.${kind === 'film' ? 'gif' : 'png'}`,
		),
	);
	const pictures = trackedFiles.filter((file) => file.startsWith('docs/images/'));
	expect([...pictures].sort()).toEqual([...made, ...ofExamples].sort());
	const shown = images.map(targetFile).filter((file) => file.startsWith('docs/images/'));
	expect(new Set(shown)).toEqual(new Set(pictures));
});

it('n8n links to headings of the README: the credential and the codex', () => {
	const codex = read('nodes/VoiceSpeech/VoiceSpeech.node.json');
	const urls = [new VoiceSpeechApi().documentationUrl, ...(codex.match(/https:[^"]+/g) ?? [])];
	const anchors = urls
		.filter((url) => url.startsWith(`${HOME}#`))
		.map((url) => url.slice(HOME.length + 1));
	expect(anchors).toContain('credentials');
	// GitHub's own anchor for the README.
	const own = anchors.filter((anchor) => anchor !== 'readme');
	for (const anchor of own) expect(anchorsOf('README.md')).toContain(anchor);
});

it('every page of docs is at most two clicks from the README', () => {
	const found = new Set(['README.md']);
	for (let clicks = 0; clicks < 2; clicks++) {
		for (const page of [...found].filter((file) => file.endsWith('.md'))) {
			for (const link of inside.filter(({ file }) => file === page)) found.add(targetFile(link));
		}
	}
	const pages = trackedFiles.filter((file) => /^docs\/.*\.(md|yaml)$/.test(file));
	expect(pages.filter((page) => !found.has(page))).toEqual([]);
});
