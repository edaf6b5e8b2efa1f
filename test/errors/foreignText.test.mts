import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { createKeyMasker, maskAnyApiKey } from '../../credentials/checkedCredential.ts';
import { validateBaseUrl } from '../../credentials/baseUrl.ts';
import { cleanBaseName } from '../../nodes/VoiceSpeech/audio/fileName.ts';
import { createUrlSource } from '../../nodes/VoiceSpeech/audio/urlSource.ts';
import {
	formatReason,
	quoteVisibleStart,
	readServiceSentence,
} from '../../nodes/VoiceSpeech/errors/quote.ts';
import { readJson } from '../../nodes/VoiceSpeech/response/readJson.ts';
import { removeParameters, isText } from '../../nodes/VoiceSpeech/text/decode.ts';
import { secretKey } from '../support/secret.mts';

/** Length of each text in characters. Reading it in quadratic time takes minutes, longer than jest's time limit. */
const length = 2 ** 20;

const fill = (unit: string) => unit.repeat(Math.ceil(length / unit.length));

async function openWithDisposition(header: string): Promise<void> {
	const response = {
		statusCode: 200,
		headers: { 'content-disposition': header },
		body: Readable.from([]),
	};
	const source = createUrlSource('https://example.com/a', async () => response);
	await source.open(new AbortController().signal);
}

const maskKey = createKeyMasker(secretKey, 'sandbox');

/** What reads texts of others, with the worst text for a pattern that searches the rest of it from each of many places. */
const readers: Array<{ reads: string; text: string; read: (text: string) => unknown }> = [
	...[',', ' ', '\t', 'a ', 'a, ', 'a=";', 'a="\\"', '"', '='].map((unit) => ({
		reads: `a Content-Disposition of ${JSON.stringify(unit)}`,
		text: `${fill(unit)}!`,
		read: openWithDisposition,
	})),
	...[", a '", ', a ', "'"].map((unit) => ({
		reads: `the message of an error of ${JSON.stringify(unit)}`,
		text: `${fill(unit)}\n${unit}`,
		read: (message: string) => formatReason({ message }),
	})),
	...['<', '<!--', '<h1>', '<h1 ', '</h1 ', '<title>', '<message>', '<script>', '</script '].map(
		(unit) => ({ reads: `a page of ${unit}`, text: `<p>${fill(unit)}`, read: readServiceSentence }),
	),
	{
		reads: 'a sentence and a title that are nearly the same',
		text: JSON.stringify({
			message: 'a'.repeat(length / 2),
			title: `${'a'.repeat(length / 8)}b${'a'.repeat(length / 8)}`,
		}),
		read: readServiceSentence,
	},
	...['\\"', '\\\\', '0', '-', '"'].map((unit) => ({
		reads: `JSON with ${unit}`,
		text: JSON.stringify([fill(unit), secretKey]),
		read: (text: string) => readJson(text, maskKey),
	})),
	...['&#0', '%25', '\\', 'eak_test_', 'eak_test_a.', 'abcd'].map((unit) => ({
		reads: `a text with the key's ${unit}`,
		text: fill(unit),
		read: (text: string) => [maskKey(text), maskAnyApiKey(text)],
	})),
	...[' ', '.', '. ', '/', '\\'].map((unit) => ({
		reads: `a file name of ${JSON.stringify(unit)}`,
		text: `a${fill(unit)}b`,
		read: (text: string) => cleanBaseName(text, 'recording'),
	})),
	...[' ', ';', 'charset', 'charset = ', '+'].map((unit) => ({
		reads: `a Content-Type of ${JSON.stringify(unit)}`,
		text: `application/${fill(unit)}!`,
		read: (text: string) => [removeParameters(text), isText(Buffer.from('a'), text)],
	})),
	{
		reads: 'an address of slashes',
		text: `https://example.com/${fill('/')}a`,
		read: validateBaseUrl,
	},
	{ reads: 'a file of <', text: fill('<'), read: (text) => quoteVisibleStart(Buffer.from(text)) },
];

it.each(readers)('reads 1 MB within the time limit of a test: $reads', async ({ text, read }) => {
	await read(text);
	// Jest's timer for the limit ends before this one if it is due.
	await sleep(1);
});
