import { ENDPOINTS, UNDOCUMENTED } from '../package/endpoints';
import { useNode } from '../support/node';
import { bytes, json } from '../support/scriptedServer';
import { wav } from '../support/recordings';
import { operationAt, resolved, validatorOf } from './interface';

const NOT_SHOWN = '#/components/responses/NotShown';

describe('the description and the node', () => {
	const node = useNode();

	const parametersOf = ({ resource, operation }: (typeof ENDPOINTS)[number]) => ({
		...{ resource, operation },
		...{ text: 'Hello', voiceId: 'vc_1', voiceName: 'Anna', language: 'en' },
		options: { rateLimitRetries: 0 },
	});

	it.each(ENDPOINTS)('$operation: the same body', async (endpoint) => {
		const answer = operationAt(endpoint.path).responses['2XX']!;
		const isAudio = 'audio/*' in (resolved(answer).content ?? {});
		node.service.answer = isAudio ? bytes(wav(), 'audio/wav') : json({ ok: true });
		const { request } = await node.runOnce(parametersOf(endpoint));
		expect(request).toMatchObject({ method: 'POST', url: endpoint.path });

		const { content } = resolved(operationAt(endpoint.path).requestBody);
		const sent = request.headers['content-type']!.split(';')[0]!;
		if (UNDOCUMENTED.includes(endpoint.operation)) {
			expect(Object.keys(content!)).toEqual(['*/*']);
			return;
		}
		expect(Object.keys(content!)).toEqual([sent]);
		const schema = content![sent]!.schema! as { properties: object };
		const fields =
			request.parts.length > 0
				? Object.fromEntries(request.parts.map(({ name, body }) => [name, body.toString()]))
				: (JSON.parse(request.body.toString()) as object);
		expect(validatorOf(schema)(fields)).toBe(true);
		expect(Object.keys(fields).sort()).toEqual(Object.keys(schema.properties).sort());
	});

	it.each(ENDPOINTS)('$operation: the same kind of answer', async (endpoint) => {
		const { responses } = operationAt(endpoint.path);
		const types = Object.keys(resolved(responses['2XX']!).content!);
		const isTaken = async () => (await node.run(parametersOf(endpoint))).error === undefined;
		node.service.answer = json({ ok: true });
		const takesJson = await isTaken();
		node.service.answer = bytes(wav(), 'audio/wav');
		const takesAudio = await isTaken();
		const expected = {
			'application/json': { takesJson: true, takesAudio: false },
			'audio/*': { takesJson: false, takesAudio: true },
			'*/*': { takesJson: true, takesAudio: true },
		}[types.join()];
		expect({ takesJson, takesAudio }).toEqual(expected);
		expect(responses['2XX']!.$ref === NOT_SHOWN).toBe(UNDOCUMENTED.includes(endpoint.operation));
	});

	it.each(ENDPOINTS)('$operation: the same scope', async (endpoint) => {
		node.service.answer = json({}, 403);
		const { error } = await node.run(parametersOf(endpoint));
		const named = [...(error?.description ?? '').matchAll(/the scope '([^']+)'/g)];
		const { security } = operationAt(endpoint.path);
		expect(security).toEqual([{ apiKey: named.map(([, scope]) => scope) }]);
	});
});
