/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { HOME, read, ROOT, trackedFiles } from '../package/repository';
import { anchorsOf, linksOf, markdownFiles, targetFile, type Link } from './markdown';

const isOutside = ({ target }: Link) => /^(https?|mailto):/.test(target);

const links = markdownFiles.flatMap(linksOf);
const inside = links.filter((link) => !isOutside(link));

const placed = ({ place, target }: Link) => `${place} -> ${target}`;

/** Whether people who have the repository have it: a file of git's, or a folder with such files. */
const isTracked = (file: string) =>
	trackedFiles.includes(file) || trackedFiles.some((each) => each.startsWith(`${file}/`));

it('there are many links and documents to look at', () => {
	expect(markdownFiles).toEqual(expect.arrayContaining(['README.md', 'docs/security.md']));
	expect(inside.length).toBeGreaterThan(80);
});

it('links lead to files that the repository has', () => {
	const missing = inside.filter((link) => !isTracked(targetFile(link).replace(/\/$/, '')));
	expect(missing.map(placed)).toEqual([]);
});

it('links into a document lead to a heading that it has', () => {
	const missing = inside.filter((link) => {
		const [, anchor] = link.target.split('#');
		const file = targetFile(link);
		return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
	});
	expect(missing.map(placed)).toEqual([]);
});

it('addresses can be read', () => {
	for (const link of links.filter(isOutside)) expect(URL.canParse(link.target)).toBe(true);
});

it('pictures say what they show, and are of a size to load', () => {
	for (const { file, target, place } of links.filter(({ isImage }) => isImage)) {
		const line = read(file).split('\n')[Number(place.split(':')[1]) - 1];
		expect([place, line]).toEqual([place, expect.stringMatching(/!\[[^\]]{20,}\]/)]);
		expect(statSync(path.join(ROOT, path.dirname(file), target)).size).toBeLessThan(200_000);
	}
});

it('pictures are made by a test, and shown', () => {
	const pictures = trackedFiles.filter((file) => file.startsWith('docs/images/'));
	expect(pictures.length).toBeGreaterThan(8);
	// Each example has one, made by the test that opens it in a browser.
	const ofExamples = trackedFiles
		.filter((file) => /^examples\/.*\.json$/.test(file))
		.map((file) => `docs/images/${file.replace('.json', '.png')}`);
	const makers = trackedFiles.filter((file) => /^test\/browser\/.*\.ts$/.test(file)).map(read);
	const made = makers.flatMap((source) =>
		[...source.matchAll(/\.picture\(\s*'([\w-]+)'/g)].map(([, name]) => `docs/images/${name}.png`),
	);
	expect([...pictures].sort()).toEqual([...made, ...ofExamples].sort());
	const shown = links.filter(({ isImage }) => isImage).map(targetFile);
	expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([]);
});

it('what n8n links to is there: the anchors of the credential and of the codex', () => {
	const codex = read('nodes/VoiceSpeech/VoiceSpeech.node.json');
	const urls = [new VoiceSpeechApi().documentationUrl, ...(codex.match(/https:[^"]+/g) ?? [])];
	const anchors = urls
		.filter((url) => url.startsWith(`${HOME}#`))
		.map((url) => url.slice(HOME.length + 1));
	expect(anchors).toContain('credentials');
	// GitHub shows the README under this one.
	const own = anchors.filter((anchor) => anchor !== 'readme');
	for (const anchor of own) expect(anchorsOf('README.md')).toContain(anchor);
	expect(existsSync(path.join(ROOT, 'README.md'))).toBe(true);
});

it('every page of docs can be found from the README', () => {
	const found = new Set(['README.md']);
	for (const file of found) {
		if (!file.endsWith('.md')) continue;
		for (const link of linksOf(file).filter((one) => !isOutside(one))) found.add(targetFile(link));
	}
	const pages = trackedFiles.filter((file) => /^docs\/.*\.(md|yaml)$/.test(file));
	expect(pages.filter((page) => !found.has(page))).toEqual([]);
});
