/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { INode, INodeTypeDescription } from 'n8n-workflow';

import { marksOf } from '../../full/examples/imports';
import type { Instance } from '../instance';
import { check } from '../report';

/** Every example, imported as it is and used as a person uses it. */
export function examples(version: string, host: () => Instance): void {
	let workflows: Record<string, { id: string }>;

	beforeAll(async () => {
		const { tools, rest, files, emulatorCredential: credential } = host();
		const state = { login: { email: '', password: '' }, workflows: {} };
		workflows = await tools.importExamples(rest, { state, credential, files });
	});

	const speakByForm = async (text: string) => {
		const { tools, n8n, rest } = host();
		const ending = await tools.submitForm(`${n8n.url}/form/speak-with-a-cloned-voice`, {
			'Voice Name': 'Ada',
			'Voice Sample': new File([tools.voiceSample()], 'sample.wav', { type: 'audio/wav' }),
			Text: text,
			Permission: ['The speaker allows that this voice is cloned'],
		});
		return { ending, execution: await tools.finishedExecution(rest, ending.executionId) };
	};

	check('Examples: every node of them in a version that this n8n has', version, async () => {
		const { tools, rest } = host();
		const types = (await tools.nodeTypes(rest)) as unknown as INodeTypeDescription[];
		for (const { name, workflow } of await tools.readExamples()) {
			const nodes = workflow.nodes as INode[];
			const marks = nodes.flatMap((node) => marksOf(node, types));
			expect({ name, marks }).toEqual({ name, marks: [] });
		}
		expect(Object.keys(workflows).sort()).toEqual([
			...['agent-that-listens', 'announcements-with-consent', 'cloned-voice-speaks-text'],
			...['failures-to-retry-list', 'form-in-any-language', 'form-upload-to-transcript'],
			...['nightly-call-analytics', 'podcast-to-show-notes', 'support-inbox-by-intent'],
			...['voicemail-to-ticket', 'watched-folder-to-transcript-sentiment-intent'],
		]);
	});

	check('Example: a cloned voice speaks a text (form, file, download)', version, async () => {
		const { tools, rest } = host();
		const text = 'Grüße aus n8n, "quoted" & <plain>.';
		const { ending, execution } = await speakByForm(text);
		expect(execution.status).toBe('success');
		const [spoken] = execution.items('Speak Text');
		expect(spoken?.json).toMatchObject({
			voiceId: execution.items('Clone Voice')[0]?.json.voice_id as string,
			mimeType: 'audio/wav',
			characters: [...text].length,
		});
		const audio = await tools.fileBytes(rest, spoken?.binary?.data);
		expect(audio).toHaveLength(spoken?.json.bytes as number);
		const saved = execution.items('Save Audio')[0]?.json.fileName as string;
		expect((await readFile(saved)).equals(audio)).toBe(true);
		expect(ending.title).toBe('The voice has spoken');
		expect(ending.downloads[0]?.bytes.equals(audio)).toBe(true);
	});

	check('Example: a form takes a recording and shows its transcript', version, async () => {
		const { tools, n8n, rest } = host();
		const text = 'This was spoken, uploaded & read: äöü "quoted".';
		const [spoken] = (await speakByForm(text)).ending.downloads;
		const recording = new File([spoken!.bytes], 'my recording.wav', { type: 'audio/wav' });
		const ending = await tools.submitForm(`${n8n.url}/form/transcribe-a-recording`, {
			Recording: recording,
		});
		expect(ending).toMatchObject({ title: 'Transcript', message: text });
		const execution = await tools.finishedExecution(rest, ending.executionId);
		const [transcribed] = execution.items('Transcribe Recording');
		expect(transcribed?.pairedItem).toEqual({ item: 0 });
		expect(transcribed?.binary).toBeUndefined();
	});

	check('Example: a file in a watched folder, its sentiment and intent', version, async () => {
		const { tools, rest, files } = host();
		const text = 'Thank you, I love it! Please cancel my subscription.';
		const [spoken] = (await speakByForm(text)).ending.downloads;
		const name = 'call (1) of today.wav';
		await writeFile(path.join(files, 'recordings', name), spoken!.bytes);
		const { id } = workflows['watched-folder-to-transcript-sentiment-intent']!;
		const execution = await tools.triggeredExecution(rest, id, () => true);
		expect(execution.error).toBeUndefined();
		const [collected] = execution.items('Collect Results');
		expect(collected?.json).toEqual({
			fileName: name,
			transcript: text,
			sentiment: execution.items('Analyze Sentiment')[0]?.json,
			intent: execution.items('Recognize Intent')[0]?.json,
		});
		const kept = await tools.fileBytes(rest, collected?.binary?.data);
		expect(kept.equals(spoken!.bytes)).toBe(true);
	});
}
