import type { CredentialReference } from '../../dev/n8n/rest.mts';
import { createVoiceNode, type Flow } from '../support/flow.mts';
import {
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
} from '../support/servers/scriptedServer.mts';
import { textToSpeechParameters } from '../support/nodeParameters.mts';
import { executeFlow, findExecuteButton, saveCredential } from './flows.mts';
import { messages } from './pictures.mts';
import { expectEventually } from './runningDemo.mts';
import { useTab } from './tab.mts';

const link = '<a href="https://evil.example/login">Log in again</a>';

const speaking: Flow = {
	from: { items: [{ number: 1 }] },
	nodes: [createVoiceNode({ ...textToSpeechParameters, text: 'Hello' })],
};

describe('an error in the editor', () => {
	const tab = useTab();
	const service = ScriptedServer.use();
	let credential: CredentialReference;

	beforeAll(async () => {
		credential = await saveCredential('Scripted service', {
			apiKey: 'eak_test_errors',
			environment: 'sandbox',
			baseUrl: service.baseUrl,
		});
	});

	const error = () => tab.part('output-panel').locator('.node-error-view');
	const toast = () => tab.page.locator(`${messages}:has(.el-notification--error)`).first();

	/** Expects that no text of others became a link in the panel, or in n8n's message. */
	async function expectNoLinks() {
		for (const place of [error(), toast()]) {
			await place.waitFor();
			expect(await place.locator('[href*="evil"]').count()).toBe(0);
		}
	}

	tab.it("shows the service's words as text, without links", async () => {
		service.respond = respondWithJson({ message: `${link}<!-- ` }, 400);
		await executeFlow(tab, speaking, credential);
		await error().waitFor();
		const text = await error().innerText();
		const words = '‹a href="https://evil.example/login"›Log in again‹/a›‹!--';
		expect(text).toContain(`(400): ${words}`);
		expect(text).toContain('The call was refused. Whether refused calls cost credits');
		expect(await toast().innerText()).toContain(words);
		await expectNoLinks();

		const page = `<html><head><title>Log in again</title></head><body>${link}<!-- `;
		service.respond = respondWithBytes(page, 'text/html');
		await findExecuteButton(tab).click();
		const quotesTitle = async () =>
			/The call may have been debited: [^]+ starts with 'Log in again'\./.test(
				await error().innerText(),
			);
		await expectEventually(quotesTitle, true);
		expect(await error().innerText()).not.toContain('href');
		await expectNoLinks();
	});
});
