/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadTools, type Demo, type Execution, type Tools } from './tools';

interface Call {
	id: number;
	operation: string;
	testData: boolean;
	credits: number;
	status: number;
	voiceId?: string;
}

/** Runs every example in a real n8n, used as a person uses it: through its form, or its folder. */
describe('the examples in a real n8n', () => {
	let tools: Tools;
	let folder: string;
	let demo: Demo;

	beforeAll(async () => {
		tools = await loadTools();
		folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-full-'));
		demo = await tools.startDemo({
			folder,
			port: await tools.freePort(),
			emulatorPort: await tools.freePort(),
		});
	}, 900_000);

	afterAll(async () => {
		await demo?.stop();
		if (folder) await rm(folder, { recursive: true, force: true });
	});

	const calls = async (after = 0) => {
		const answer = await fetch(`${demo.service.consoleUrl}/api/usage?after=${after}`);
		return ((await answer.json()) as { calls: Call[] }).calls;
	};

	/** Runs something and tells what the service was asked for, and what was debited for it. */
	async function paidFor<T>(task: () => Promise<T>) {
		const last = (await calls()).at(-1)?.id ?? 0;
		const before = await demo.service.credits();
		const result = await task();
		return {
			result,
			calls: await calls(last),
			debited: before - (await demo.service.credits()),
		};
	}

	/** Every item of every node of the package belongs to the item that it came from. */
	function expectPaired(execution: Execution, nodes: string[]) {
		for (const node of nodes) {
			expect(execution.items(node).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		}
	}

	const total = (made: Call[]) => made.reduce((sum, { credits }) => sum + credits, 0);
	const sample = () => new File([tools.voiceSample()], 'sample.wav', { type: 'audio/wav' });

	/** Submits the form of the cloned voice; resolves with its last page and the execution behind it. */
	async function speak(text: string) {
		const ending = await tools.submitForm(`${demo.n8n.url}/form/speak-with-a-cloned-voice`, {
			'Voice Name': 'Ada',
			'Voice Sample': sample(),
			Text: text,
			Permission: ['The speaker allows that this voice is cloned'],
		});
		return { ending, execution: await tools.finishedExecution(demo.rest, ending.executionId) };
	}

	it('cloned-voice-speaks-text: a cloned voice speaks the text into a file', async () => {
		const text = 'Grüße aus n8n, "quoted" & <plain>.';
		const { result, calls: made, debited } = await paidFor(async () => await speak(text));
		const { ending, execution } = result;

		expect(execution).toMatchObject({ status: 'success' });
		const voiceId = execution.items('Clone Voice')[0]?.json.voice_id as string;
		expect(voiceId).toMatch(/^vc_\w+/);
		const [spoken] = execution.items('Speak Text');
		expect(spoken?.json).toMatchObject({
			voiceId,
			mimeType: 'audio/wav',
			characters: [...text].length,
		});
		expect(Object.keys(spoken?.binary ?? {}).sort()).toEqual(['Voice_Sample', 'data']);
		expectPaired(execution, ['Clone Voice', 'Speak Text', 'Save Audio']);

		const audio = await tools.fileBytes(demo.rest, spoken?.binary?.data);
		expect(audio.toString('latin1', 0, 4)).toBe('RIFF');
		expect(audio.toString('latin1', 8, 12)).toBe('WAVE');
		expect(audio).toHaveLength(spoken?.json.bytes as number);
		const kept = await tools.fileBytes(demo.rest, spoken?.binary?.Voice_Sample);
		expect(kept.equals(tools.voiceSample())).toBe(true);

		const saved = execution.items('Save Audio')[0]?.json.fileName as string;
		expect(path.dirname(saved)).toBe(demo.files);
		expect((await readFile(saved)).equals(audio)).toBe(true);
		expect(ending.title).toBe('The voice has spoken');
		expect(ending.message).toBe(`Voice: ${voiceId}\nSaved as ${saved}`);
		expect(ending.downloads).toHaveLength(1);
		expect(ending.downloads[0]?.bytes.equals(audio)).toBe(true);

		expect(made).toMatchObject([
			{ operation: 'voice-clone', testData: true, voiceId },
			{ operation: 'text-to-speech', testData: true, voiceId },
		]);
		expect(debited).toBe(total(made));
		expect(debited).toBeGreaterThan(0);
	});

	it('form-upload-to-transcript: the uploaded recording becomes its text', async () => {
		const text = 'This was spoken, uploaded & read: äöü "quoted".';
		const [spoken] = (await speak(text)).ending.downloads;
		const recording = new File([spoken!.bytes], 'my recording.wav', { type: 'audio/wav' });

		const {
			result,
			calls: made,
			debited,
		} = await paidFor(
			async () =>
				await tools.submitForm(`${demo.n8n.url}/form/transcribe-a-recording`, {
					Recording: recording,
				}),
		);
		expect(result).toMatchObject({ title: 'Transcript', message: text });

		const execution = await tools.finishedExecution(demo.rest, result.executionId);
		expect(execution.status).toBe('success');
		const [transcribed] = execution.items('Transcribe Recording');
		expect(transcribed?.json.text).toBe(text);
		expectPaired(execution, ['Transcribe Recording']);
		const kept = await tools.fileBytes(demo.rest, transcribed?.binary?.Recording);
		expect(kept.equals(spoken!.bytes)).toBe(true);

		expect(made).toMatchObject([{ operation: 'speech-to-text', testData: true }]);
		expect(debited).toBe(total(made));
		expect(debited).toBeGreaterThan(0);
	});

	it('watched-folder-to-transcript-sentiment-intent: a new file is judged and stays attached', async () => {
		const text = 'Thank you, I love it! Please cancel my subscription.';
		const [spoken] = (await speak(text)).ending.downloads;
		const name = 'call (1) of today.wav';

		const {
			result,
			calls: made,
			debited,
		} = await paidFor(async () => {
			await writeFile(path.join(demo.recordings, name), spoken!.bytes);
			return await tools.triggeredExecution(
				demo.rest,
				demo.workflows['watched-folder-to-transcript-sentiment-intent']!.id,
				() => true,
			);
		});
		expect(result).toMatchObject({ status: 'success' });
		const [transcribed] = result.items('Transcribe Recording');
		expect(transcribed?.json).toMatchObject({ text, fileName: name });
		const collected = result.items('Collect Results');
		expect(collected).toHaveLength(1);
		expect(collected[0]?.json).toEqual({
			fileName: name,
			transcript: text,
			sentiment: result.items('Analyze Sentiment')[0]?.json,
			intent: result.items('Recognize Intent')[0]?.json,
		});
		const nodes = ['Transcribe Recording', 'Analyze Sentiment', 'Recognize Intent'];
		expectPaired(result, [...nodes, 'Collect Results']);
		for (const node of [...nodes, 'Collect Results']) {
			const kept = await tools.fileBytes(demo.rest, result.items(node)[0]?.binary?.data);
			expect(kept.equals(spoken!.bytes)).toBe(true);
		}

		expect(made.map(({ operation }) => operation)).toEqual([
			...['speech-to-text', 'sentiment', 'intent'],
		]);
		expect(debited).toBe(total(made));
		expect(debited).toBeGreaterThan(0);
	});

	it('every example has a test here', () => {
		const tested = [
			'cloned-voice-speaks-text',
			'form-upload-to-transcript',
			'watched-folder-to-transcript-sentiment-intent',
		];
		expect(Object.keys(demo.workflows).sort()).toEqual(tested);
	});

	it('n8n lists the package among its community packages', async () => {
		const packages = (await demo.rest.call('GET', '/community-packages')) as object[];
		expect(packages).toMatchObject([
			{
				packageName: 'n8n-nodes-voice-speech',
				installedNodes: [{ type: 'n8n-nodes-voice-speech.voiceSpeech' }],
			},
		]);
	});
});
