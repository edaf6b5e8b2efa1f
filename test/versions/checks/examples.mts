import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { readExamples } from '../../../dev/demo/examples.mts';
import { listNodeTypes } from '../../../dev/n8n/rest.mts';
import { demoExamples } from '../../full/examples/forms.mts';
import { FormExamples } from '../../full/examples/formExamples.mts';
import type { Instance } from '../instance.mts';
import { createCheck } from '../report.mts';

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

/** Every example, imported as it is and used as a person uses it. */
export function testExamples(version: string, instance: () => Instance): void {
	const check = createCheck(version);
	check('Examples: this n8n has every node version that they use', async () => {
		const { demo } = instance();
		const types = await listNodeTypes(demo.rest);
		const all = await readExamples();
		for (const { workflow } of all) {
			for (const node of workflow.nodes as INode[]) expectKnown(node, types);
		}
		expect(Object.keys(demo.workflows).sort()).toEqual(all.map(({ name }) => name));
	});

	for (const [example, title] of Object.entries(titles)) {
		const test = demoExamples[example as keyof typeof demoExamples];
		check(title, async () => {
			const runner = new FormExamples(instance().demo);
			try {
				await test(runner);
			} finally {
				await runner.resetSettings();
			}
		});
	}
}
