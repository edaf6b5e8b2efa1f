import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';

const { description } = new VoiceSpeech();
const credential = { ...new VoiceSpeechApi() };

/**
 * Saved workflows hold these names, values and defaults, users read these texts, and n8n acts on the routing: a
 * change of any of them is to be seen in a review. `npx jest test/package/panels -u` writes it down.
 */
describe('what n8n shows and does', () => {
	it('of the node is as written down', () => {
		expect(description).toMatchSnapshot();
	});

	it('of the credential is as written down', () => {
		expect(credential).toMatchSnapshot();
	});
});
