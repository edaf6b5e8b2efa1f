import { acceptedFormatsText } from '../../nodes/VoiceSpeech/service/endpoint.ts';
import {
	createNotConvertibleError,
	type Obstacle,
} from '../../nodes/VoiceSpeech/errors/audioError.ts';
import { maxConvertedSeconds, maxSecondsOfAnySize } from '../../nodes/VoiceSpeech/limits.ts';

const useAnother = `Use a recording in another format, or convert it to ${acceptedFormatsText} with another program.`;
const sendAnyway =
	" If the service accepts it anyway, set the option 'Other Formats' to 'Send As It Is'.";

interface Reported {
	obstacle: Obstacle;
	message: string;
	description: string;
	/** What the description ends with. */
	added?: string;
}

it.each<Reported>([
	{
		obstacle: { kind: 'codec', codec: 'Vorbis' },
		message: "The file 'a.ogg' cannot be converted: its audio is Vorbis",
		description: `The node converts Opus, AAC and Apple Lossless. ${useAnother}`,
	},
	{
		obstacle: { kind: 'noAudio' },
		message: "The file 'a.ogg' has no audio",
		description: 'Check which file the previous step outputs.',
		added: '',
	},
	{
		obstacle: { kind: 'headerOnly' },
		message: "The file 'a.ogg' is incomplete: it ends before its audio begins",
		description:
			'Check whether the previous step received the entire file, and whether the recorder had recorded anything.',
		added: '',
	},
	{
		obstacle: { kind: 'segment' },
		message: "The file 'a.ogg' is a segment of a stream: its beginning is missing",
		description:
			'Segments of DASH or HLS need the initialization segment in front of them. Use the entire recording.',
		added: '',
	},
	{
		obstacle: { kind: 'order' },
		message: "The file 'a.ogg' cannot be converted: its audio is stored in an unusual order",
		description: useAnother,
	},
	{
		obstacle: { kind: 'edited' },
		message: "The file 'a.ogg' cannot be converted: it has edits that the node cannot apply",
		description: `Export it again with the program that edited it. ${useAnother}`,
	},
	{
		obstacle: { kind: 'tooLong' },
		message: `The file 'a.ogg' cannot be converted: it lasts longer than ${maxConvertedSeconds / 3600} hours`,
		description: 'Split it into shorter recordings.',
	},
	{
		obstacle: { kind: 'tooManyPackets' },
		message: "The file 'a.ogg' cannot be converted: it is too long",
		description:
			'Its packets are so short, or differ so often in duration, that their number reaches the limit of the node (5,000,000 packets, 1,000,000 durations). Split it into shorter recordings.',
	},
	{
		obstacle: { kind: 'tooFewBytes' },
		message: "The file 'a.ogg' cannot be converted: it is nearly silent, or damaged",
		description: `Check whether it plays. If it does, split it into parts of at most ${maxSecondsOfAnySize / 60} minutes.`,
	},
	{
		obstacle: { kind: 'damaged' },
		message: "The file 'a.ogg' cannot be converted: it is damaged or incomplete",
		description: 'Check whether it plays, and whether the previous step received the entire file.',
	},
	{
		obstacle: { kind: 'changed' },
		message: "The file 'a.ogg' changed while it was read",
		description: 'Run the step again when nothing writes to the file any more.',
		added: '',
	},
])('a recording that cannot be converted is reported with its own advice: $message', (row) => {
	const { obstacle, message, description, added = sendAnyway } = row;
	expect(createNotConvertibleError(obstacle, 'a.ogg')).toMatchObject({
		message,
		description: `${description}${added}`,
	});
});
