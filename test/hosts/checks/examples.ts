import type { INode } from 'n8n-workflow';

import { demoExamples } from '../../full/examples/forms';
import { EmulatedService } from '../../full/examples/service';
import type { Instance } from '../instance';
import { marksOf } from '../marks';
import { check } from '../report';

const titles: Record<keyof typeof demoExamples, string> = {
	'cloned-voice-speaks-text': 'Example: a cloned voice reads a text aloud (form, file, download)',
	'form-upload-to-transcript': 'Example: a form takes a recording and shows its transcript',
	'watched-folder-to-transcript-sentiment-intent':
		'Example: a file in a watched folder, its sentiment and intent',
};

/** Every example, imported as it is and used as a person uses it. */
export function examples(version: string, host: () => Instance): void {
	let stage: EmulatedService;

	beforeAll(async () => {
		const { tools, rest, files, emulatorCredential: credential } = host();
		const state = { id: '', login: { email: '', password: '' }, workflows: {} };
		const workflows = await tools.importExamples(rest, { state, credential, files });
		stage = new EmulatedService(tools, { ...host(), service: host().emulated, workflows });
	});

	check('Examples: every node of them in a version that this n8n has', version, async () => {
		const { tools, demo } = stage;
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
		check(title, version, async () => await test(stage));
	}
}
