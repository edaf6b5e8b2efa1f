import { recognizeFormat } from '../audio/format.mts';
import { measure } from '../audio/measure.mts';
import { readLanguage } from '../http/fields.mts';
import { readMultipart } from '../http/multipart.mts';
import { Refusal } from '../http/refusal.mts';
import type { Call } from '../http/call.mts';
import type { AudioFormat } from '../audio/format.mts';
import type { Measures } from '../audio/measure.mts';

export interface Recording {
	/** Its make-believe transcript. */
	text: string;
	/** Whether the emulator's text to speech made it. */
	isOwn: boolean;
	/** What was measured, for the extra field `recording`. */
	facts: object;
	seconds?: number;
}

/** The body of a request with a recording. */
export interface RecordingBody {
	recording: Recording;
	/** All fields, by name. */
	fields: Map<string, string>;
	/** The field of that name, which was checked. */
	language?: string;
}

/**
 * Reads an uploaded recording and makes up a transcript.
 * @throws {Refusal} as readMultipart, and unsupportedFormat for other formats than the documented
 */
export async function readRecording(call: Call): Promise<RecordingBody> {
	const { file, fields } = await readMultipart(call);
	const language = readLanguage(fields.get('language'));
	const format = await recognizeFormat(file.path);
	if (!format) {
		throw new Refusal(
			'unsupportedFormat',
			'The file is not WAV, MP3, M4A or FLAC: its first bytes decide.',
		);
	}
	const { ownText, ...measures } = await measure(file.path, file.bytes);
	const { seconds, sampleRate, channels } = measures;
	return {
		recording: {
			text: ownText ?? describe(format, measures),
			isOwn: ownText !== undefined,
			facts: {
				name: file.name,
				bytes: file.bytes,
				sha256: file.sha256,
				format,
				seconds: seconds ?? null,
				sample_rate: sampleRate ?? null,
				channels: channels ?? null,
			},
			seconds,
		},
		fields,
		language,
	};
}

/** @returns one sentence */
function describe(format: AudioFormat, { seconds, sampleRate, channels }: Measures): string {
	return `Make-believe transcript: a ${format} recording, ${seconds ?? '?'} seconds long, with a sampling rate of ${sampleRate ?? '?'} Hz and ${channels ?? '?'} channel${channels === 1 ? '' : 's'}.`;
}
