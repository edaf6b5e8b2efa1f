import { jsonResponse } from '../http/call.mts';
import { requireText } from '../http/fields.mts';
import { createVoice } from '../voices.mts';
import { readRecording } from './recording.mts';
import type { Service } from '../http/call.mts';
import type { Recording } from './recording.mts';

interface CloneRequest {
	recording: Recording;
	/** Of the new voice. */
	name: string;
}

/** POST /ai/voice-clone. Accepts any sample: the documented recommendations are not limits. */
export const voiceClone: Service<CloneRequest> = {
	credits: 10,
	rule: 'nothing of the sample is used: each new voice has a pitch that no other voice has',
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
