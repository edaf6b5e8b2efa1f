import type { UserError } from 'n8n-workflow';

import { maxConvertedSeconds, maxDurations, maxPackets, maxSecondsOfAnySize } from '../limits';
import { otherFormatAdvice, sendAnywayAdvice } from './audioFileError';
import { describeFile } from './quote';
import { createUserError } from './userError';

/** Why a recording cannot be converted. */
export type Obstacle =
	/** Its audio has a codec that is not converted; `codec` is its usual name. */
	| { kind: 'codec'; codec: string }
	| { kind: 'noAudio' }
	/** It describes audio, but ends before the first packet. */
	| { kind: 'headerOnly' }
	/** It is a segment of a stream in MP4 (DASH, HLS) without the header that describes the audio. */
	| { kind: 'segment' }
	/** Its audio is not stored in playing order, so that it cannot be converted while it is read. */
	| { kind: 'order' }
	/** Its edit list has too many parts. The node decodes only one part of Opus. */
	| { kind: 'edited' }
	/** It lasts longer than the limit. */
	| { kind: 'tooLong' }
	/** It has more packets, or packets of more different durations, than the node can index. */
	| { kind: 'tooManyPackets' }
	/** It has suspiciously few bytes for its duration. */
	| { kind: 'tooFewBytes' }
	| { kind: 'damaged' }
	/** A later reading found something else than the first. */
	| { kind: 'changed' };

/** Writes a number with separators, e.g. 5,000,000. */
function formatCount(count: number): string {
	return count.toLocaleString('en-US');
}

function explainObstacle(obstacle: Obstacle, file: string): { message: string; advice: string } {
	switch (obstacle.kind) {
		case 'codec':
			return {
				message: `${file} cannot be converted: its audio is ${obstacle.codec}`,
				advice: `The node converts Opus, AAC and Apple Lossless. ${otherFormatAdvice}`,
			};
		case 'noAudio':
			return {
				message: `${file} has no audio`,
				advice: 'Check which file the previous step outputs.',
			};
		case 'headerOnly':
			return {
				message: `${file} is incomplete: it ends before its audio begins`,
				advice:
					'Check whether the previous step received the entire file, and whether the recorder had recorded anything.',
			};
		case 'segment':
			return {
				message: `${file} is a segment of a stream: its beginning is missing`,
				advice:
					'Segments of DASH or HLS need the initialization segment in front of them. Use the entire recording.',
			};
		case 'order':
			return {
				message: `${file} cannot be converted: its audio is stored in an unusual order`,
				advice: otherFormatAdvice,
			};
		case 'edited':
			return {
				message: `${file} cannot be converted: it has edits that the node cannot apply`,
				advice: `Export it again with the program that edited it. ${otherFormatAdvice}`,
			};
		case 'tooLong':
			return {
				message: `${file} cannot be converted: it lasts longer than ${maxConvertedSeconds / 3600} hours`,
				advice: 'Split it into shorter recordings.',
			};
		case 'tooManyPackets':
			return {
				message: `${file} cannot be converted: it is too long`,
				advice: `Its packets are so short, or differ so often in duration, that their number reaches the limit of the node (${formatCount(maxPackets)} packets, ${formatCount(maxDurations)} durations). Split it into shorter recordings.`,
			};
		case 'tooFewBytes':
			return {
				message: `${file} cannot be converted: it is nearly silent, or damaged`,
				advice: `Check whether it plays. If it does, split it into parts of at most ${maxSecondsOfAnySize / 60} minutes.`,
			};
		case 'damaged':
			return {
				message: `${file} cannot be converted: it is damaged or incomplete`,
				advice: 'Check whether it plays, and whether the previous step received the entire file.',
			};
		case 'changed':
			return {
				message: `${file} changed while it was read`,
				advice: 'Run the step again when nothing writes to the file any more.',
			};
	}
}

/** Where sending the file as it is does not help: no service can use it, or it is still changing. */
const kindsNotToSend: Array<Obstacle['kind']> = ['noAudio', 'headerOnly', 'segment', 'changed'];

/** A recording cannot be converted. That is found before anything is sent, but `changed` mostly during the upload. */
export function createNotConvertibleError(obstacle: Obstacle, name: string): UserError {
	const { message, advice } = explainObstacle(obstacle, describeFile(name));
	if (kindsNotToSend.includes(obstacle.kind)) return createUserError(message, advice);
	return createUserError(message, `${advice} ${sendAnywayAdvice}`);
}
