import { randomBytes } from 'node:crypto';

import { createJsonResponse, type OperationHandler } from '../http/call.mts';
import { requireText } from '../http/fields.mts';
import { readRecording, type Recording } from './recording.mts';

/** All multiples of this number have different fractional parts, so no two voices have the same pitch. */
const goldenRatio = 0.618_033_988_75;

/** The documented recommendations are not limits, so it accepts any sample. */
export const voiceClone: OperationHandler<{ recording: Recording; name: string }> = {
	credits: 10,
	rule: 'nothing of the sample is used: each new voice has a pitch that no other voice has',
	async read(call) {
		const { recording, fields } = await readRecording(call);
		return { recording, name: requireText(fields.get('name'), 'name') };
	},
	async perform(call, { recording, name }) {
		const voiceId = `vc_${randomBytes(6).toString('hex')}`;
		const pitch = ((call.voices.length + 1) * goldenRatio) % 1;
		call.addVoice({ voiceId, pitch });
		const note = 'Nothing of the sample is used: the voice is a pitch that no other voice has.';
		const extraFields = { name, recording: recording.metadata, note };
		return { ...createJsonResponse(call, { voice_id: voiceId }, extraFields), voiceId };
	},
};
