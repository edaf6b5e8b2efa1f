import { measure, recognizeFormat } from '../audio/inspect.mts';
import { readLanguage } from '../http/fields.mts';
import { readMultipart } from '../http/multipart.mts';
import { Refusal } from '../http/refusal.mts';
import type { Call } from '../http/call.mts';

/** The extra field `recording`. */
interface RecordingFacts {
	name: string;
	bytes: number;
	sha256: string;
	format: string;
	// These three are null if the file does not specify them.
	seconds: number | null;
	sample_rate: number | null;
	channels: number | null;
}

export interface Recording {
	/** Its make-believe transcript. */
	text: string;
	/** Whether the emulator's text to speech made it. */
	isOwn: boolean;
	facts: RecordingFacts;
}

/**
 * Reads an uploaded recording and makes up a transcript.
 * @returns the recording, all fields by name, and the field `language`, which was checked
 * @throws {Refusal} as readMultipart, and unsupportedFormat for other formats than the documented
 */
export async function readRecording(call: Call) {
	const { file, fields } = await readMultipart(call);
	const language = readLanguage(fields.get('language'));
	const format = await recognizeFormat(file.path);
	if (!format) {
		throw new Refusal(
			'unsupportedFormat',
			'The file is not WAV, MP3, M4A or FLAC: its first bytes decide.',
		);
	}
	const measures = await measure(file.path, file.bytes);
	const facts: RecordingFacts = {
		name: file.name,
		bytes: file.bytes,
		sha256: file.sha256,
		format,
		seconds: measures.seconds ?? null,
		sample_rate: measures.sampleRate ?? null,
		channels: measures.channels ?? null,
	};
	const text = measures.ownText ?? makeUpTranscript(facts);
	const recording: Recording = { text, isOwn: measures.ownText !== undefined, facts };
	return { recording, fields, language };
}

/** @returns one sentence */
function makeUpTranscript({ format, seconds, sample_rate, channels }: RecordingFacts): string {
	return `Make-believe transcript: a ${format} recording, ${seconds ?? '?'} seconds long, with a sampling rate of ${sample_rate ?? '?'} Hz and ${channels ?? '?'} channel${channels === 1 ? '' : 's'}.`;
}
