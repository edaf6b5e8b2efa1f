import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';

const { description } = new VoiceSpeech();
const credential = { ...new VoiceSpeechApi() };

/**
 * Saved workflows contain these names and values, users read these texts, and n8n acts on the routing: a review must
 * show every change. `npx jest test/package/panels -u` updates the snapshot.
 */
describe('what n8n shows and does', () => {
	it('of the node is as written down', () => {
		expect(description).toMatchSnapshot();
	});

	it('of the credential is as written down', () => {
		expect(credential).toMatchSnapshot();
	});
});
