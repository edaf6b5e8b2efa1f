import { analyzeText, modes, numberedItems } from '../support/calls';
import { speechToText, useNode } from '../support/node';
import { n8n, useProtection } from '../support/n8n';
import { errorText, expectNothingDebited, outcomesOf } from '../support/outcome';

const node = useNode();

it('an internal base URL is called while the protection is off, as it is by default', async () => {
	const { error } = await node.run(analyzeText, { items: numberedItems(1) });
	expect(error).toBeUndefined();
	expect(node.service.arrived).toBe(1);
});

const describeProtection = n8n.ssrfProtection ? describe : describe.skip;

describeProtection("a base URL that n8n's SSRF protection blocks", () => {
	useProtection();

	it.each(['127.0.0.1', 'localhost', '127.1', '[::ffff:127.0.0.1]'])(
		"is never called, and n8n's own advice is part of the error: %s",
		async (host) => {
			const credential = { baseUrl: node.service.baseUrl.replace('127.0.0.1', host) };
			for (const parameters of [speechToText, { ...analyzeText, text: 'Hello' }]) {
				const output = await node.run(parameters, { credential });
				expect(node.service.arrived).toBe(0);
				const text = errorText(output);
				expectNothingDebited(text);
				expect(text).toContain('restricted IP address');
				expect(text).toContain('ask your n8n administrator to allowlist');
			}
		},
	);

	it('fails each item for itself, with continue', async () => {
		const output = await node.run(analyzeText, { items: numberedItems(3), node: modes.continue });
		expect(node.service.arrived).toBe(0);
		const errors = outcomesOf(output).map(({ error }) => error);
		expect(errors).toHaveLength(3);
		for (const error of errors) expectNothingDebited(error);
	});
});
