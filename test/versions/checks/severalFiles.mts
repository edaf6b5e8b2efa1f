import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { createWav } from '../../support/media/recordings.mts';
import { respondWithJson, computeSha256 } from '../../support/servers/scriptedServer.mts';
import { createNode, createVoiceNode } from '../../support/flow.mts';
import { speechToTextParameters } from '../../support/nodeParameters.mts';
import { instance, service } from '../instance.mts';
import type { Check } from '../report.mts';

const recordings = [1, 2, 3, 4].map((seconds) => createWav(seconds));

/** Two items with two files each, as two mails with two attachments arrive. */
const pairs = createNode('Pairs', 'n8n-nodes-base.code', 2, {
	// With "combined", n8n's Code node sees an item's fields as the item, and its files among them.
	jsCode: `const files = $input.all().map(({ binary, json, _files }) => (binary ?? _files ?? json._files).data);
return [0, 2].map((at) => ({ json: {}, binary: { Call_0: files[at], Call_1: files[at + 1] } }));`,
});

/** The node and the settings that the message advises. */
function readAdvice(error = '') {
	const [, field, destinationFieldName] =
		/Split Out node .+'Fields To Split Out' to '(\S+?)'(?: and its 'Destination Field Name' to '(\S+?)')?,/.exec(
			error,
		) ?? [];
	const options = destinationFieldName ? { destinationFieldName } : {};
	return createNode('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: field, options });
}

/** Follows the message about several files in one item, in a workflow with these settings. */
export function testSeveralFiles(
	{ name, settings }: { name: string; settings: object },
	check: Check,
): void {
	check(`${name}: two files in each item, split as the message advises`, async () => {
		const { run, runToEnd, demo } = instance;
		for (const [index, bytes] of recordings.entries()) {
			await writeFile(path.join(demo.files, `one-of-four-${index}.wav`), bytes);
		}
		const from = { files: path.join(demo.files, 'one-of-four-*.wav') };
		service.respond = respondWithJson({ text: 'spoken' });
		const voice = createVoiceNode(speechToTextParameters);
		const refused = await run({ from, nodes: [pairs, voice], settings });
		expect(refused.error).toContain("The item has no file in the field 'data'");
		expect(service.requestCount).toBe(0);

		const nodes = [pairs, readAdvice(refused.error), voice];
		const execution = await runToEnd({ from, nodes, settings });
		const sent = service.requests.map(({ parts }) => parts[0]!.sha256);
		expect(sent.sort()).toEqual(recordings.map(computeSha256).sort());
		const sources = execution.items('Split').map(({ pairedItem }) => pairedItem as unknown);
		expect(sources).toEqual([{ item: 0 }, { item: 0 }, { item: 1 }, { item: 1 }]);
	});
}
