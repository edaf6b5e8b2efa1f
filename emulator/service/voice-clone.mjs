import { requireText } from '../gateway/fields.mjs';
import { jsonAnswer } from '../gateway/call.mjs';
import { readRecording } from './recording.mjs';

/**
 * POST /ai/voice-clone. Source: interface document (parts `file` and `name`, field `voice_id`);
 * the other fields and the status are the emulator's own choice. A sample outside the document's
 * recommendations is accepted: they are no limits.
 * @type {import('../gateway/call.mjs').Service<{recording: import('./recording.mjs').Recording,
 *   name: string}>}
 */
export const voiceClone = {
	async read(call) {
		const { recording, fields } = await readRecording(call);
		return { recording, name: requireText(fields.get('name'), 'name') };
	},
	async perform(call, { recording, name }) {
		const { pitch, createdAt, ...voice } = call.state.voices.create(name);
		return {
			...jsonAnswer(
				{ ...voice, created_at: createdAt, recording: recording.facts },
				'Nothing was learnt from the sample: the voice is a pitch that no other voice has.',
			),
			status: call.state.settings.cloneStatus,
			voiceId: voice.voice_id,
		};
	},
};
