import { updateDisplayOptions } from 'n8n-workflow';

import type { Endpoint } from '../../endpoint';
import { audioInput } from '../../descriptions/audioInput';
import { extraFields } from '../../descriptions/extraFields';
import { optionsFor } from '../../descriptions/options';
import { language } from '../../descriptions/parameters';
import type { Operation } from '../../descriptions/menu';
import { route } from '../../n8n/route';

const showOnlyForThis = { show: { resource: ['speech'], operation: ['speechToText'] } };

const endpoint: Endpoint = {
	path: '/ai/speech-to-text',
	scope: 'speech-to-text',
	body: 'audio',
	answer: 'json',
};

/** Speech to text (docs/openapi.yaml). */
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
