import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { createVoiceNode } from '../../support/flow.mts';
import { textToSpeechParameters } from '../../support/nodeParameters.mts';
import { createWav } from '../../support/media/recordings.mts';
import { respondWithBytes } from '../../support/servers/scriptedServer.mts';
import type { Instance } from '../instance.mts';
import { createCheck } from '../report.mts';

const speech = createWav(2);

/** Three seconds and a half, in which the test has time to open the link. */
const fewHours = 0.001;

async function speak({ run, service }: Instance, linkHours: number) {
	service.reset(respondWithBytes(speech, 'audio/wav'));
	const parameters = { ...textToSpeechParameters, options: { linkHours } };
	return await run({ from: { items: [{ go: true }] }, nodes: [createVoiceNode(parameters)] });
}

/** A link to audio, as this n8n keeps files. */
export function testLinks(where: string, version: string, instance: () => Instance): void {
	createCheck(version, where)('Link to audio', async () => {
		const { error, items } = await speak(instance(), 24);
		expect(error).toBeUndefined();
		const { url, urlExpiresAt } = items('Voice')[0]!.json as Record<string, string>;
		expect(Date.parse(urlExpiresAt!)).toBeGreaterThan(Date.now());
		// It needs no login. n8n sends the entire file, even to a player that asks for a part.
		for (const headers of [new Headers(), new Headers({ range: 'bytes=100-199' })]) {
			const response = await fetch(url!, { headers });
			expect(response.status).toBe(200);
			expect(Object.fromEntries(response.headers)).toMatchObject({
				'content-type': 'audio/wav',
				'content-length': String(speech.length),
				'content-disposition': 'attachment; filename="speech.wav"',
			});
			expect(Buffer.from(await response.arrayBuffer()).equals(speech)).toBe(true);
		}
		const changed = await fetch(`${url!.slice(0, -1)}${url!.endsWith('A') ? 'Q' : 'A'}`);
		expect(changed.status).toBe(400);
	});
}

/** This does not depend on where n8n keeps files. */
export function testLinkExpiry(version: string, instance: () => Instance): void {
	createCheck(version)('Link to audio, after its time', async () => {
		const { items } = await speak(instance(), fewHours);
		const { url, urlExpiresAt } = items('Voice')[0]!.json as Record<string, string>;
		const response = await waitUntil(async () => {
			const one = await fetch(url!);
			return one.status === 200 ? undefined : one;
		});
		expect({ status: response.status, text: await response.text() }).toEqual({
			status: 400,
			text: 'jwt expired',
		});
		expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(urlExpiresAt!));
	});
}
