import { sleep, type INodeParameters } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { audioNotReadable, audioReadFailed } from '../../nodes/VoiceSpeech/errors/audioError';
import { debitStatement } from '../../nodes/VoiceSpeech/errors/callError';
import { notStored } from '../../nodes/VoiceSpeech/errors/responseError';
import {
	openingStalled,
	responseStalled,
	uploadStalled,
} from '../../nodes/VoiceSpeech/errors/timeoutError';
import {
	openingStallSeconds,
	responseStallSeconds,
	uploadStallSeconds,
} from '../../nodes/VoiceSpeech/limits';
import { speak, speechToText, textToSpeech, undocumented, type Scene } from '../support/node';
import { bytes, json, type Answer } from '../support/scriptedServer';
import { oggOpus, wav } from '../support/recordings';

/** A trouble that the page describes, and how to get into it. */
export interface Trouble {
	parameters: INodeParameters;
	scene?: Scene;
	answer?: Answer;
	/** A service that is not there. */
	isGone?: boolean;
	/** n8n's protection of internal addresses is on. */
	isBlocked?: boolean;
	/** How many items go in, each with the files of the scene. */
	items?: number;
}

const clone = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };
const once = { options: { rateLimitRetries: 0 } };
const refusal = (status: number, headers = {}) => json({ message: 'No.' }, status, headers);
const form = { Recordings_0: wav(), Recordings_1: wav(0.2) };
const formFiles = Object.entries(form).map(([name, recording]) => [
	name,
	{ bytes: recording, fileName: `${name}.wav`, mimeType: 'audio/wav' },
]);

/** Answers after the time limits below. */
const late: Answer = (request, response, index) => {
	void sleep(3000).then(() => json({})(request, response, index));
};

const cut: Answer = (_request, response) => {
	response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
	response.write('{"text":');
	void sleep(50).then(() => response.destroy());
};

export const troubles: Record<string, Trouble> = {
	'the key': { parameters: speechToText, answer: refusal(401) },
	'the items behind it': {
		parameters: { ...speechToText, options: { concurrency: 1 } },
		answer: refusal(401),
		scene: { node: { onError: 'continueRegularOutput' } },
		items: 2,
	},
	'the scope': { parameters: speechToText, answer: refusal(403) },
	'the wallet': { parameters: speechToText, answer: refusal(402) },
	'the environment': { parameters: speechToText, scene: { credential: { apiKey: 'eak_live_x' } } },
	'the allowed environment': {
		parameters: { ...speechToText, allowedEnvironment: 'sandbox' },
		scene: { credential: { apiKey: 'eak_live_x', environment: 'live' } },
	},
	'the path': { parameters: speechToText, answer: refusal(404) },
	'the voice': { parameters: speak, answer: refusal(404) },
	'no service': { parameters: speechToText, isGone: true },
	'an internal address': { parameters: speechToText, isBlocked: true },
	'the proxy': { parameters: speechToText, answer: refusal(407) },
	'plain http': {
		parameters: speechToText,
		scene: { credential: { baseUrl: 'http://api.example.com' } },
	},
	'a redirect': {
		parameters: speechToText,
		answer: refusal(308, { Location: 'https://new.example.com/ai/speech-to-text' }),
	},
	'the field of the file': {
		parameters: speechToText,
		scene: { files: Object.fromEntries(formFiles) as Scene['files'] },
	},
	'no file': { parameters: speechToText, scene: { files: {} } },
	'the format': {
		parameters: speechToText,
		scene: {
			files: { data: { bytes: oggOpus(), fileName: 'voice-note.oga', mimeType: 'audio/ogg' } },
		},
	},
	'the format, of the service': { parameters: undocumented, answer: refusal(415) },
	'a page at the URL': { parameters: { ...speechToText, audioSource: 'url' } },
	size: { parameters: speechToText, answer: refusal(413) },
	'the sample': {
		parameters: { ...clone, options: { sampleCheck: 'reject' } },
		scene: { files: { data: { bytes: wav(2, 8000), mimeType: 'audio/wav' } } },
	},
	'a field': { parameters: speechToText, answer: refusal(400) },
	'field names that collide': {
		parameters: { ...speechToText, language: 'en', options: { fileFieldName: 'language' } },
	},
	'no text': { parameters: { ...textToSpeech, text: '={{ $json.nothing }}', voiceId: 'vc_1' } },
	'JSON for audio': { parameters: speak, answer: json({ audio: 'UklGRg==' }) },
	'HTML for JSON': {
		parameters: speechToText,
		answer: bytes('<!doctype html><html><body>Log in</body></html>', 'text/html'),
	},
	'the answer': {
		parameters: { ...speechToText, options: { answerTimeoutSeconds: 1 } },
		answer: late,
	},
	'the timeout': {
		parameters: { ...speechToText, requestOptions: { timeout: 500 } },
		answer: late,
	},
	'the connection': { parameters: speechToText, answer: cut },
	'the rate limit': {
		parameters: { ...speechToText, ...once },
		answer: refusal(429, { 'Retry-After': '400' }),
	},
	'the service': { parameters: speechToText, answer: refusal(500) },
	'the service, with Retry On Fail': {
		parameters: speechToText,
		answer: refusal(500),
		scene: { node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
	},
};

/** What the credential's test says, which n8n shows as it is. */
export function testMessages(): string[] {
	const { rules = [] } = new VoiceSpeechApi().test;
	return rules.map(({ properties }) => properties.message);
}

/** Errors that tests elsewhere provoke: they need minutes, or storage that fails. */
export const elsewhere = [
	openingStalled(openingStallSeconds),
	uploadStalled(uploadStallSeconds),
	responseStalled(responseStallSeconds),
	audioNotReadable('ENOENT: no such file'),
	audioReadFailed('ECONNRESET: aborted'),
	notStored('The disk is full.'),
].map((error) => ({
	message: error.message,
	description: `${error.description} ${debitStatement(error, error.debit && true, false)}`,
}));
