import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { readExamples } from '../../../dev/demo/examples.mts';
import { demoExamples } from '../../full/examples/forms.mts';
import { FormExamples } from '../../full/examples/formExamples.mts';
import { instance } from '../instance.mts';
import type { Check } from '../report.mts';

const titles: Record<keyof typeof demoExamples, string> = {
	'cloned-voice-speaks-text': 'Example: a cloned voice reads a text aloud (form, file, download)',
	'form-upload-to-transcript': 'Example: a form takes a recording and shows its transcript',
};

/** Expects n8n to have the node in its version and with its parameters, and to miss none. */
function expectKnown(node: INode, types: INodeTypeDescription[]): void {
	const { name, type, typeVersion, parameters } = node;
	const description = types.find(
		(one) => one.name === type && [one.version].flat().includes(typeVersion),
	);
	if (!description) throw new Error(`${name}: n8n does not have ${type} as version ${typeVersion}`);
	const { properties } = description;
	// Without what n8n does not know or does not show.
	const known =
		NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {};
	expect({ name, parameters: known }).toMatchObject({ name, parameters });
	const complete = { ...node, parameters: known };
	expect(NodeHelpers.getNodeParametersIssues(properties, complete, description)).toBeNull();
}

/** The nodes of every example; and those of the demo, imported as they are and used as a person uses them. */
export function testExamples(check: Check): void {
	check('Examples: this n8n has every node version that they use', async () => {
		const response = await instance.rest.get('/types/nodes.json');
		const types = (await response.json()) as INodeTypeDescription[];
		for (const { workflow } of await readExamples()) {
			for (const node of workflow.nodes as INode[]) expectKnown(node, types);
		}
	});

	for (const [example, title] of Object.entries(titles)) {
		const test = demoExamples[example as keyof typeof demoExamples];
		check(title, async () => {
			const runner = new FormExamples(instance.demo);
			try {
				await test(runner);
			} finally {
				await runner.resetSettings();
			}
		});
	}
}
