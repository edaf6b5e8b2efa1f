import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { createVoiceNode } from '../../support/flow.mts';
import { textToSpeechParameters } from '../../support/nodeParameters.mts';
import { createWav } from '../../support/media/recordings.mts';
import { respondWithBytes } from '../../support/servers/scriptedServer.mts';
import { instance, service } from '../instance.mts';
import type { Check } from '../report.mts';

const speech = createWav(2);

/** Three seconds and a half, in which the test has time to open the link. */
const fewHours = 0.001;

async function speak(linkHours: number) {
	service.respond = respondWithBytes(speech, 'audio/wav');
	const parameters = { ...textToSpeechParameters, options: { linkHours } };
	const nodes = [createVoiceNode(parameters)];
	const { items } = await instance.runToEnd({ from: { items: [{ go: true }] }, nodes });
	const { url, urlExpiresAt } = items('Voice')[0]!.json as Record<string, string>;
	return { url: url!, expiresAt: Date.parse(urlExpiresAt!) };
}

/** A link to audio, as this n8n keeps files. */
export function testLinks(check: Check): void {
	check('Link to audio', async () => {
		const { url, expiresAt } = await speak(24);
		expect(expiresAt).toBeGreaterThan(Date.now());
		// It needs no login. n8n sends the entire file, even to a player that asks for a part.
		for (const headers of [new Headers(), new Headers({ range: 'bytes=100-199' })]) {
			const response = await fetch(url, { headers });
			expect(response.status).toBe(200);
			expect(Object.fromEntries(response.headers)).toMatchObject({
				'content-type': 'audio/wav',
				'content-length': String(speech.length),
				'content-disposition': 'attachment; filename="speech.wav"',
			});
			expect(Buffer.from(await response.arrayBuffer()).equals(speech)).toBe(true);
		}
		const changed = await fetch(`${url.slice(0, -1)}${url.endsWith('A') ? 'Q' : 'A'}`);
		expect(changed.ok).toBe(false);
	});
}

/** This does not depend on where n8n keeps files. */
export function testLinkExpiry(check: Check): void {
	check('Link to audio, after its time', async () => {
		const { url, expiresAt } = await speak(fewHours);
		const response = await waitUntil(async () => {
			const one = await fetch(url);
			return one.status === 200 ? undefined : one;
		});
		// Older versions of n8n add the stack.
		expect(await response.text()).toContain('jwt expired');
		expect(Date.now()).toBeGreaterThanOrEqual(expiresAt);
	});
}
