import type { INode } from 'n8n-workflow';

import { demoExamples } from '../../full/examples/forms';
import { Examples } from '../../full/examples/service';
import type { Instance } from '../instance';
import { marksOf } from '../marks';
import { checksOf } from '../report';

const titles: Record<keyof typeof demoExamples, string> = {
	'cloned-voice-speaks-text': 'Example: a cloned voice reads a text aloud (form, file, download)',
	'form-upload-to-transcript': 'Example: a form takes a recording and shows its transcript',
	'watched-folder-to-transcript-sentiment-intent':
		'Example: a file in a watched folder, its sentiment and intent',
};

/** Every example, imported as it is and used as a person uses it. */
export function examples(version: string, host: () => Instance): void {
	const check = checksOf(version);
	check('Examples: every node of them in a version that this n8n has', async () => {
		const { tools, demo } = host();
		const types = await tools.nodeTypes(demo.rest);
		const all = await tools.readExamples();
		for (const { name, workflow } of all) {
			const marks = (workflow.nodes as INode[]).flatMap((node) => marksOf(node, types));
			expect({ name, marks }).toEqual({ name, marks: [] });
		}
		expect(Object.keys(demo.workflows).sort()).toEqual(all.map(({ name }) => name));
	});

	for (const [example, title] of Object.entries(titles)) {
		const test = demoExamples[example as keyof typeof demoExamples];
		check(title, async () => await test(new Examples(host().tools, host().demo)));
	}
}
