import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { findSentences } from '../../dev/scripts/sourceTexts.mts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';

const all = findSentences('nodes', 'credentials');

/** Texts of what can go wrong, as far as they stand in files of their own. */
const errors = findSentences('nodes/VoiceSpeech/errors', 'nodes/VoiceSpeech/audio').concat(
	all.filter(({ location }) => /^credentials\/(apiKey|baseUrl)/.test(location)),
);

function labelsOf(properties: Array<INodeProperties | INodePropertyCollection>): string[] {
	return properties.flatMap((property) => [
		...('type' in property && property.type === 'notice' ? [] : [property.displayName]),
		...('values' in property ? labelsOf(property.values) : []),
		...('options' in property
			? labelsOf((property.options ?? []).filter((option) => 'displayName' in option))
			: []),
	]);
}

const labels = [
	...new Set([
		...labelsOf(new VoiceSpeech().description.properties),
		...labelsOf(new VoiceSpeechApi().properties),
	]),
].filter((label) => label.includes(' '));

/** Words that say nothing in a message, curly quotes, exclamation marks, double white space. */
const unwanted = /\b(error|problem|failure|mistake|wrong)s?\b|[“”‘’!]| {2}/i;

/** Names of n8n's settings. */
const settings = /^Wrong key: |'On Error'|'Continue \(using error output\)'/g;

it('error messages say what happened, in words that n8n asks for', () => {
	expect(all.filter(({ text }) => unwanted.test(text.replace(settings, 'x')))).toEqual([]);
});

it('error messages put the names of parameters in single quotes', () => {
	const bare = errors.filter(({ text }) =>
		labels.some((label) =>
			text.replaceAll(`'${label}'`, '').replaceAll(`'${label}:`, '').includes(label),
		),
	);
	expect(bare).toEqual([]);
});

it('error messages end as a sentence, or as one that others end', () => {
	expect(errors.filter(({ text }) => /\s$|\.\.$/.test(text))).toEqual([]);
});
