import { Readable } from 'node:stream';

import type { Admission } from '../../nodes/VoiceSpeech/call/admission.ts';
import { createFailure } from '../../nodes/VoiceSpeech/call/itemFailure.ts';
import { createNetworkError } from '../../nodes/VoiceSpeech/errors/networkError.ts';
import { openingStallSeconds } from '../../nodes/VoiceSpeech/limits.ts';
import { textToSpeech } from '../../nodes/VoiceSpeech/resources/speech/textToSpeech.ts';
import { clone } from '../../nodes/VoiceSpeech/resources/voice/clone.ts';
import { useClock } from '../support/clock.mts';
import { createMp3, createWav } from '../support/media/recordings.mts';
import {
	stubKey,
	createAdmission,
	createAudio,
	createResponse,
	makeCallAndReadError,
	otherStubKey,
	prepareCall,
	readUpload,
	StubAudio,
	type Send,
} from '../support/stubItem.mts';
import {
	createDeferred,
	isSettled,
	waitForever,
	rejectWhenAborted,
	settleAll,
} from '../support/waiting.mts';

const succeed: Send = async () => createResponse(200);

it('sends audio as the file of a form, and closes it', async () => {
	const audio = new StubAudio(5000);
	let received: Buffer | undefined;
	const send: Send = async (_request, body) => {
		received = await readUpload(body);
		return createResponse(200);
	};
	const { item, request } = await prepareCall(send, { audio });
	const outcome = await makeCallAndReadError(item, request, createAdmission());
	expect(outcome).toMatchObject({ kind: 'succeeded' });
	expect(received).toEqual(Buffer.alloc(5000, 'RIFF'));
	expect(audio.closings).toBe(1);
});

describe('if an upload fails', () => {
	it.each([
		{
			reason: 'the network',
			circumstance: 'the audio was read to its end',
			fault: undefined,
			message: 'The connection to the service failed',
		},
		{
			reason: 'the audio',
			circumstance: 'it cannot be read to its end',
			fault: new Error('disk gone'),
			message: 'Reading the audio failed during the upload',
		},
		{
			// The refused connection is the one for the audio, so it does not prove that the request was not sent.
			reason: 'the audio',
			circumstance: 'its server refused a connection during the upload',
			fault: new Error('connect ECONNREFUSED'),
			message: 'Reading the audio failed during the upload',
			isUnconnected: true,
		},
	])(
		'names $reason as the reason if $circumstance',
		async ({ fault, message, isUnconnected = false }) => {
			const audio = new StubAudio(5000, fault);
			const send: Send = async (_request, body) => {
				await readUpload(body).catch(() => {});
				throw createNetworkError({ code: '', message: 'x', syscall: '', isUnconnected });
			};
			const { item, request } = await prepareCall(send, { audio });
			expect(await makeCallAndReadError(item, request, createAdmission())).toMatchObject({
				kind: 'failed',
				error: { message },
				debit: 'possible',
			});
			expect(audio.closings).toBe(1);
		},
	);
});

// The service may respond before the end of the upload.
describe('audio that cannot be read to its end', () => {
	it.each([
		{
			what: 'a file that n8n cannot store',
			status: 200,
			body: createMp3(10),
			outcome: {
				error: { message: 'The service returned the file, but n8n could not store it' },
				debit: 'debited',
			},
		},
		{
			what: 'a page in place of a file',
			status: 200,
			body: Buffer.from('<html>Sorry</html>'),
			outcome: { error: { message: 'The service returned HTML instead of audio' } },
		},
		{
			what: 'a refusal',
			status: 402,
			body: Buffer.from('{}'),
			outcome: { error: { status: 402 } },
		},
	])('does not hide the response, if it is $what', async ({ status, body, outcome }) => {
		const { item, request } = await prepareCall(
			async (_request, sent) => {
				await expect(readUpload(sent)).rejects.toThrow('disk gone');
				return createResponse(status, { 'content-type': 'audio/mpeg' }, Readable.from([body]));
			},
			{
				audio: new StubAudio(5000, new Error('disk gone')),
				store: async () => await Promise.reject(new Error('disk full')),
			},
		);
		const forAudio = { ...request, endpoint: textToSpeech.endpoint };
		const found = await makeCallAndReadError(item, forAudio, createAdmission());
		expect(found).toMatchObject({ kind: 'failed', ...outcome });
	});
});

describe('audio that cannot be sent', () => {
	it.each([
		{
			problem: 'it does not open',
			audio: createAudio(async () => await Promise.reject(new Error('gone'))),
		},
		{
			problem: 'its first bytes cannot be read',
			audio: new StubAudio(100, new Error('gone')),
		},
	])('fails the item before anything is sent if $problem', async ({ audio }) => {
		const { item, request, sent } = await prepareCall(succeed, { audio });
		expect(await makeCallAndReadError(item, request, createAdmission())).toMatchObject({
			kind: 'failed',
			error: {
				message: 'The audio could not be read',
				description: expect.stringContaining('(gone)'),
			},
			debit: 'notSent',
		});
		expect(sent).toEqual([]);
	});

	it('fails the item before anything is sent if it is empty', async () => {
		const audio = new StubAudio(0);
		const { item, request, sent } = await prepareCall(succeed, { audio });
		expect(await makeCallAndReadError(item, request, createAdmission())).toMatchObject({
			error: { message: "The file 'call.mp3' is empty" },
			debit: 'notSent',
		});
		expect(sent).toEqual([]);
		expect(audio.closings).toBe(1);
	});
});

describe('audio that stalls before the upload', () => {
	const clock = useClock();

	it.each([
		{ what: 'while no other call waits', act() {} },
		{
			what: 'during a back-off of the run',
			act: (admission: Admission) => admission.backoff.begin(2 * openingStallSeconds),
		},
	])('fails the item at its time limit $what', async ({ act }) => {
		const audio = createAudio(waitForever);
		const { item, request, sent } = await prepareCall(succeed, { audio });
		const admission = createAdmission();
		const calling = makeCallAndReadError(item, request, admission);
		act(admission);
		await clock.advance(openingStallSeconds * 1_000);
		expect(await calling).toMatchObject({
			kind: 'failed',
			error: { message: expect.stringMatching(/^The audio stalled for .+ before the upload/) },
			debit: 'notSent',
		});
		expect(sent).toEqual([]);
	});
});

describe('a call that stalls after its audio was opened', () => {
	const clock = useClock();

	const stopReading: Send = async (_request, _body, signal) => await rejectWhenAborted(signal);

	const respondWithoutEnd: Send = async (_request, body, signal) => {
		await readUpload(body);
		const stream = new Readable({ read() {} });
		// n8n's client ends the body of a request whose signal aborts.
		signal.addEventListener('abort', () => stream.destroy(new Error('aborted')));
		return createResponse(200, {}, stream);
	};

	it.each([
		{
			what: 'upload',
			send: stopReading,
			seconds: 600,
			message: 'The upload stalled for 600 seconds',
		},
		{
			what: 'response',
			send: respondWithoutEnd,
			seconds: 120,
			message: 'The response stalled for 120 seconds',
		},
	])('is stopped after $seconds s without a byte of its $what', async (row) => {
		const { item, request } = await prepareCall(row.send, { audio: new StubAudio(5000) });
		const calling = makeCallAndReadError(item, request, createAdmission());
		await clock.advance(row.seconds * 1_000 - 1);
		expect(await isSettled(calling)).toBe(false);
		await clock.advance(1);
		expect(await calling).toMatchObject({
			kind: 'failed',
			error: { message: `${row.message} and was stopped` },
			debit: 'possible',
		});
	});
});

describe("'Response Timeout (Seconds)'", () => {
	const clock = useClock();
	const options = { responseTimeoutSeconds: 2 };

	it('counts from the end of a slow upload', async () => {
		const upload = createDeferred();
		const response = createDeferred();
		const send: Send = async (_request, body) => {
			await upload.promise;
			await readUpload(body);
			await response.promise;
			return createResponse(200);
		};
		const { item, request } = await prepareCall(send, { audio: new StubAudio(5000), options });
		const calling = makeCallAndReadError(item, request, createAdmission());
		await clock.advance(2_200);
		upload.resolve();
		await clock.advance(1_999);
		response.resolve();
		expect(await calling).toMatchObject({ kind: 'succeeded' });
	});

	it('stops a call whose response does not come after the upload', async () => {
		const send: Send = async (_request, body, signal) => {
			await readUpload(body);
			return await rejectWhenAborted(signal);
		};
		const { item, request } = await prepareCall(send, { audio: new StubAudio(5000), options });
		const calling = makeCallAndReadError(item, request, createAdmission());
		await clock.advance(2_000);
		expect(await calling).toMatchObject({
			error: { message: 'The service did not respond within 2 seconds after the upload' },
			debit: 'possible',
		});
	});
});

const failure = createFailure(1, new Error('refused'));

const blocks: Array<{
	what: string;
	kind: string;
	stopsOnFailure: boolean;
	act(admission: Admission): void;
}> = [
	{
		what: 'another call stops the run',
		kind: 'runFailed',
		stopsOnFailure: true,
		act: (admission) => admission.reportFailure(failure),
	},
	{
		what: 'its key is refused',
		kind: 'keyRefused',
		stopsOnFailure: false,
		act: (admission) => admission.reportRefusedKey(stubKey, failure),
	},
];

describe.each(blocks)('a call whose audio opens while $what', (row) => {
	const { kind, stopsOnFailure, act } = row;
	it.each([
		{ reaction: 'reacts to its signal', open: rejectWhenAborted },
		{ reaction: 'reacts to nothing', open: waitForever },
		{ reaction: 'opens, and whose first bytes never come', open: openUnreadable },
	])('abandons audio that $reaction, without failing its item', async ({ open }) => {
		const { item, request, sent } = await prepareCall(succeed, { audio: createAudio(open) });
		const admission = createAdmission({ stopsOnFailure });
		const calling = makeCallAndReadError(item, request, admission);
		await settleAll();
		act(admission);
		expect(await calling).toMatchObject({ kind: 'blocked', block: { kind } });
		expect(sent).toEqual([]);
	});

	it('does not start at the end of opening its audio, and closes it', async () => {
		const audio = new StubAudio(4);
		const admission = createAdmission({ stopsOnFailure });
		const { item, request, sent } = await prepareCall(succeed, {
			audio: createAudio(async () => {
				const opened = await audio.open();
				return {
					...opened,
					close() {
						// The reader closes short audio after its last read before the upload.
						if (audio.closings === 0) act(admission);
						opened.close();
					},
				};
			}),
		});
		expect(await makeCallAndReadError(item, request, admission)).toMatchObject({
			kind: 'blocked',
			block: { kind },
		});
		expect(sent).toEqual([]);
		expect(audio.closings).toBe(1);
	});
});

/** Opens audio whose reads end only if the signal aborts. */
async function openUnreadable(signal: AbortSignal) {
	async function* read() {
		yield await rejectWhenAborted(signal);
	}
	const declared = { name: '', mimeType: '' };
	return { size: undefined, declared, chunks: read(), close() {} };
}

it('stops no other call by a failure that concerns only its own item while audio opens', async () => {
	const opening = createDeferred();
	const audio = createAudio(async () => {
		await opening.promise;
		return await new StubAudio(4).open();
	});
	const { item, request } = await prepareCall(succeed, { audio });
	const admission = createAdmission({ stopsOnFailure: false });
	const calling = makeCallAndReadError(item, request, admission);
	await settleAll();
	admission.reportFailure(failure);
	admission.reportRefusedKey(otherStubKey, failure);
	opening.resolve();
	expect(await calling).toMatchObject({ kind: 'succeeded' });
});

it('does not send a call whose audio opens while a back-off begins, and closes its audio', async () => {
	const audio = new StubAudio(4);
	const admission = createAdmission();
	const { item, request, sent } = await prepareCall(succeed, {
		audio: createAudio(async () => {
			admission.backoff.begin(60);
			return await audio.open();
		}),
	});
	expect(await makeCallAndReadError(item, request, admission)).toEqual({
		kind: 'blocked',
		block: { kind: 'backoff' },
	});
	expect(sent).toEqual([]);
	expect(audio.closings).toBe(1);
});

it('does not send a call that is canceled while its audio opens', async () => {
	const cancel = new AbortController();
	const audio = createAudio(rejectWhenAborted);
	const { item, request, sent } = await prepareCall(succeed, { audio });
	const admission = createAdmission({ cancelSignal: cancel.signal });
	const calling = makeCallAndReadError(item, request, admission);
	await settleAll();
	cancel.abort();
	expect(await calling).toEqual({ kind: 'blocked', block: { kind: 'canceled' } });
	expect(sent).toEqual([]);
});

const shortSample = createAudio(async () => {
	const bytes = createWav(0.1);
	async function* read() {
		yield bytes;
	}
	const declared = { name: 'a.wav', mimeType: 'audio/wav' };
	return { size: bytes.length, declared, chunks: read(), close() {} };
});

it('returns the findings about a voice sample next to the response', async () => {
	const json = { voice_id: 'vc_1' };
	const body = Readable.from([Buffer.from(JSON.stringify(json))]);
	const send: Send = async () => createResponse(200, {}, body);
	const { item, request } = await prepareCall(send, { audio: shortSample });
	const toClone = { ...request, endpoint: clone.endpoint };
	expect(await makeCallAndReadError(item, toClone, createAdmission())).toMatchObject({
		kind: 'succeeded',
		output: { json, sampleWarnings: expect.arrayContaining([expect.any(String)]) },
	});
});

it('completes an upload in progress although another item fails', async () => {
	const admission = createAdmission();
	const send: Send = async (_request, body) => {
		admission.reportFailure(failure);
		await settleAll();
		await readUpload(body);
		return createResponse(200);
	};
	const audio = createAudio(async (signal) => {
		async function* read() {
			yield Buffer.alloc(5000, 'RIFF');
			if (signal.aborted) throw new Error('aborted');
			yield Buffer.alloc(5000, 'RIFF');
		}
		const declared = { name: 'call.mp3', mimeType: 'audio/mpeg' };
		return { size: undefined, declared, chunks: read(), close() {} };
	});
	const { item, request } = await prepareCall(send, { audio });
	expect(await makeCallAndReadError(item, request, admission)).toMatchObject({
		kind: 'succeeded',
	});
});
