import { probeRecording, recognizeFormat } from '../audio/inspect.mts';
import { readLanguage } from '../http/fields.mts';
import { readMultipart } from '../http/multipart.mts';
import { Refusal } from '../http/refusal.mts';
import type { Call } from '../http/call.mts';

export type RecordingBody = Awaited<ReturnType<typeof readRecording>>;

export type Recording = RecordingBody['recording'];

/**
 * Reads an uploaded recording and makes up a transcript.
 *
 * @returns the recording, all fields by name, and the field `language`, which was checked
 * @throws {Refusal} as readMultipart, and unsupportedFormat for other formats than the documented
 */
export async function readRecording(call: Call) {
	const { file, fields } = await readMultipart(call);
	const language = readLanguage(fields.get('language'));
	const format = await recognizeFormat(file.path);
	if (!format) {
		throw new Refusal('unsupportedFormat', 'The format of the file is not accepted.');
	}
	const { ownText, seconds, samplingRate, channels } = await probeRecording(file.path, file.bytes);
	// The node converts recordings of other formats to these.
	const origin = ['WAV', 'M4A'].includes(format) ? ' (perhaps converted by the node)' : '';
	const madeUpText = `Make-believe transcript: received a ${format} recording${origin}, ${seconds ?? '?'} seconds long, with a sampling rate of ${samplingRate ?? '?'} Hz and ${channels ?? '?'} channel${channels === 1 ? '' : 's'}.`;
	const recording = {
		text: ownText ?? madeUpText,
		/** Whether the emulator's text to speech made it. */
		isOwn: ownText !== undefined,
		/** For the extra field `recording`. */
		metadata: {
			name: file.name,
			bytes: file.bytes,
			sha256: file.sha256,
			format,
			seconds: seconds ?? null,
			sample_rate: samplingRate ?? null,
			channels: channels ?? null,
		},
	};
	return { recording, fields, language };
}
