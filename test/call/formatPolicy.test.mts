import {
	chooseFormatPolicy,
	type FormatPolicy,
} from '../../nodes/VoiceSpeech/call/formatPolicy.ts';
import type { Endpoint } from '../../nodes/VoiceSpeech/endpoint.ts';
import { createTranscription } from '../../nodes/VoiceSpeech/resources/speech/createTranscription.ts';
import { speechToText } from '../../nodes/VoiceSpeech/resources/speech/speechToText.ts';

// test/call/openBody.test.mts tests what is sent, converted and rejected.

interface Row {
	formatCheck: 'reject' | 'off';
	convertAudio: boolean;
	converts: boolean;
	rejects: FormatPolicy['rejects'];
}

const title =
	"with Format Check '$formatCheck' and Convert Audio $convertAudio, the policy is: converts $converts, rejects $rejects";

function expectPolicy(endpoint: Endpoint, row: Row, option: FormatPolicy['option']): void {
	const { formatCheck, convertAudio, converts, rejects } = row;
	const policy = chooseFormatPolicy(endpoint, { formatCheck, convertAudio });
	expect(policy).toEqual({ converts, rejects, option });
}

describe('where the formats are documented', () => {
	it.each<Row>([
		{ formatCheck: 'reject', convertAudio: true, converts: true, rejects: 'allFormats' },
		{ formatCheck: 'reject', convertAudio: false, converts: false, rejects: 'allFormats' },
		{ formatCheck: 'off', convertAudio: true, converts: false, rejects: 'nothing' },
		{ formatCheck: 'off', convertAudio: false, converts: false, rejects: 'nothing' },
	])(title, (row) => expectPolicy(speechToText.endpoint, row, 'formatCheck'));
});

describe('where the formats are not documented', () => {
	it.each<Row>([
		{ formatCheck: 'reject', convertAudio: true, converts: true, rejects: 'audioFormats' },
		{ formatCheck: 'reject', convertAudio: false, converts: false, rejects: 'nothing' },
	])(title, (row) => expectPolicy(createTranscription.endpoint, row, 'convertAudio'));
});
