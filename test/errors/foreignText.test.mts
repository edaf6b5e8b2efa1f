import { Readable } from 'node:stream';

import { createKeyMasker, maskAnyApiKey } from '../../credentials/apiKey.ts';
import { checkBaseUrl } from '../../credentials/baseUrl.ts';
import { cleanBaseName } from '../../nodes/VoiceSpeech/audio/fileName.ts';
import { createUrlSource } from '../../nodes/VoiceSpeech/audio/urlSource.ts';
import {
	formatReason,
	quoteVisibleStart,
	readServiceSentence,
} from '../../nodes/VoiceSpeech/errors/quote.ts';
import { readJson } from '../../nodes/VoiceSpeech/response/readJson.ts';
import { removeParameters, isText } from '../../nodes/VoiceSpeech/text/decode.ts';
import { stubKey } from '../support/stubItem.mts';

/** Length of each text in characters. Reading it in quadratic time takes seconds. */
const length = 64 * 1024;

/**
 * Most milliseconds of processor time for a text. Linear time needs less than a hundredth of what quadratic time does, and
 * the processor time does not depend on other programs as the time does.
 */
const limitMs = 200;

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

const maskKey = createKeyMasker(stubKey, 'sandbox');

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
		text: JSON.stringify([fill(unit), stubKey]),
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
		read: checkBaseUrl,
	},
	{ reads: 'a file of <', text: fill('<'), read: (text) => quoteVisibleStart(Buffer.from(text)) },
];

/** The processor time of this process in ms for reading a text, the shortest of several tries. */
async function measureProcessorMs(read: () => unknown): Promise<number> {
	let shortest = Infinity;
	for (let tries = 0; tries < 5 && shortest > limitMs; tries++) {
		const start = process.cpuUsage();
		await read();
		const { user, system } = process.cpuUsage(start);
		shortest = Math.min(shortest, (user + system) / 1000);
	}
	return shortest;
}

it.each(readers)('reads 64 kB in linear time: $reads', async ({ text, read }) => {
	expect(await measureProcessorMs(() => read(text))).toBeLessThan(limitMs);
});
