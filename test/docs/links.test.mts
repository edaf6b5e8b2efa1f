import { statSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials.ts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';
import { packageHome, readRepositoryFile, trackedFiles } from '../support/repository.mts';
import { listAnchors, listLinks, markdownFiles, findTargetFile } from '../support/markdown.mts';

const inside = markdownFiles
	.flatMap(listLinks)
	.filter(({ target }) => !/^(https?|mailto):/.test(target));

/** Whether git tracks this file, or files in this folder. */
const isTracked = (file: string) =>
	trackedFiles.some((each) => each === file || each.startsWith(`${file}/`));

it('links lead to files of the repository, and to headings in them', () => {
	expect(inside.length).toBeGreaterThan(100);
	const broken = inside.filter((link) => {
		const [, anchor] = link.target.split('#');
		const file = findTargetFile(link).replace(/\/$/, '');
		if (!isTracked(file)) return true;
		return anchor !== undefined && file.endsWith('.md') && !listAnchors(file).has(anchor);
	});
	expect(broken).toEqual([]);
});

it('pictures have a description, load quickly, and are shown', () => {
	const images = inside.filter(({ image }) => image !== undefined);
	for (const link of images) {
		expect(link).toMatchObject({ image: expect.stringMatching(/^.{20,}$/) });
		const largest = link.target.endsWith('.gif') ? 2_000_000 : 320_000;
		expect(statSync(path.join(root, findTargetFile(link))).size).toBeLessThan(largest);
	}
	const shown = images.map(findTargetFile).filter((file) => file.startsWith('docs/images/'));
	const pictures = trackedFiles.filter((file) => file.startsWith('docs/images/'));
	expect(new Set(shown)).toEqual(new Set(pictures));
});

it('n8n links the credential and the codex to headings of the README', () => {
	const codex = readRepositoryFile('nodes/VoiceSpeech/VoiceSpeech.node.json');
	const urls = [new VoiceSpeechApi().documentationUrl, ...(codex.match(/https:[^"]+/g) ?? [])];
	expect(urls).toContain(`${packageHome}#credentials`);
	for (const url of urls) {
		const [page, anchor = 'readme'] = url.split('#');
		expect(page).toBe(packageHome);
		// GitHub's own anchor for the README.
		if (anchor !== 'readme') expect(listAnchors('README.md')).toContain(anchor);
	}
});

it('notices in the panel link to headings of docs/how-to.md', () => {
	const texts = new VoiceSpeech().description.properties
		.filter(({ type }) => type === 'notice')
		.map(({ displayName }) => displayName);
	const urls = [...texts.join('\n').matchAll(/href="([^"]*)"/g)].map(([, url]) => url!);
	expect(urls.length).toBeGreaterThan(2);
	for (const url of urls) {
		const [page, anchor] = url.split('#');
		expect(page).toBe(`${packageHome}/blob/main/docs/how-to.md`);
		expect(listAnchors('docs/how-to.md')).toContain(anchor);
	}
});

it('every page of docs is linked', () => {
	const linked = inside.map(findTargetFile);
	const pages = trackedFiles.filter((file) => /^docs\/.*\.(md|yaml)$/.test(file));
	expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
});
