import { jsonResponse } from '../http/call.mjs';
import { requireText } from '../http/fields.mjs';
import { createVoice } from '../voices.mjs';
import { readRecording } from './recording.mjs';

/**
 * POST /ai/voice-clone. Accepts any sample: the documented recommendations are not limits.
 * @type {import('../http/call.mjs').Service<{recording: import('./recording.mjs').Recording,
 *   name: string}>}
 */
export const voiceClone = {
	async read(call) {
		const { recording, fields } = await readRecording(call);
		return { recording, name: requireText(fields.get('name'), 'name') };
	},
	async perform({ state }, { recording, name }) {
		const { voiceId, createdAt } = createVoice(state.voices, name);
		const response = jsonResponse(
			state,
			{ voice_id: voiceId },
			{
				name,
				created_at: createdAt,
				recording: recording.facts,
				note: 'Nothing of the sample is used: the voice is a pitch that no other voice has.',
			},
		);
		return { ...response, voiceId };
	},
};
