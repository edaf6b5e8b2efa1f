import { updateDisplayOptions } from 'n8n-workflow';

import type { Endpoint } from '../../endpoint';
import { audioInput } from '../../fields/audioInput';
import { extraFields } from '../../fields/extraFields';
import { optionsFor } from '../../fields/options';
import { language } from '../../fields/parameters';
import type { Operation } from '../../menu';
import { route } from '../../request';

const showOnlyForThis = { show: { resource: ['speech'], operation: ['speechToText'] } };

const endpoint: Endpoint = {
	path: '/ai/speech-to-text',
	scope: 'speech-to-text',
	body: 'audio',
	answer: 'json',
};

/** Speech to text (interface document, Endpoints). */
export const speechToText: Operation = {
	resource: 'speech',
	option: {
		name: 'Speech to Text',
		value: 'speechToText',
		action: 'Transcribe audio file',
		description: 'Turn a recording (WAV, MP3, M4A or FLAC) into text',
		routing: route(endpoint),
	},
	fields: updateDisplayOptions(showOnlyForThis, [
		...audioInput,
		language,
		extraFields,
		optionsFor(endpoint),
	]),
};
