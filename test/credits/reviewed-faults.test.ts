import { sleep, type INodeExecutionData } from 'n8n-workflow';

import { modes, numberedItems } from '../support/calls';
import { n8n } from '../support/n8n';
import { callWav, recording, speak, speechToText, undocumented, useNode } from '../support/node';
import { json } from '../support/scriptedServer';

const node = useNode();

const empty = { ...callWav, bytes: Buffer.alloc(0) };

it.each([
	{ what: 'is empty', file: empty, message: "The file 'call.wav' is empty" },
	{ what: 'was deleted', file: undefined, message: 'The audio could not be read' },
])('sends nothing if the file of a later item $what', async ({ file, message }) => {
	const items = await node.itemsWithFile({}, {}, {});
	const deleted = { id: 'filesystem-v2:gone', mimeType: 'audio/wav', data: 'filesystem-v2' };
	items[2] = file
		? await node.engine.item({}, { data: file })
		: { json: {}, binary: { data: deleted as never } };
	const { message: shown, description } = await node.runUnsent(speechToText, { items });
	expect(shown).toBe(message);
	expect(description).not.toContain('/');
});

it('says in the error of a node that stops how many other items may have been debited', async () => {
	const { error } = await node.runItems(3, {
		respond: (item) => (item === 2 ? 400 : 200),
		concurrency: 1,
	});
	expect(error?.description).toContain('2 other items of this run may have been debited.');
	expect(error?.description).toContain("set 'On Error' to 'Continue (using error output)'");
});

it.each(['stop', 'continue'] as const)(
	'stops only the items with the same key after a refused key (mode %s)',
	async (mode) => {
		const { paid, calls } = await node.runItems(4, {
			respond: (item) => (item === 0 ? 402 : 200),
			credential: (item) => ({ apiKey: item % 2 === 0 ? 'eak_test_even' : 'eak_test_odd' }),
			concurrency: 1,
			mode,
		});
		expect(calls).toEqual(mode === 'stop' ? [0] : [0, 1, 3]);
		expect(paid).toEqual(mode === 'stop' ? [] : [1, 3]);
	},
);

it('never says what n8n will do next, with Retry On Fail', async () => {
	const { error } = await node.runItems(1, { respond: () => 500, maxTries: 2 });
	expect(error?.description).toContain('The call may have been debited');
	expect(error?.description).not.toMatch(/sends it again|will /);
});

it('never waits longer than Max Retry Wait of its own accord', async () => {
	const started = Date.now();
	const { calls } = await node.runItems(1, {
		respond: (_item, earlier) => (earlier < 3 ? 429 : 200),
		options: { maxRetryWaitSeconds: 0.05 },
	});
	expect(calls).toEqual([0, 0, 0, 0]);
	expect(Date.now() - started).toBeLessThan(5000);
});

it('records a failure whose text contains "canceled" as a failure', async () => {
	node.service.answer = json({ message: 'Your plan was canceled' }, 403);
	const { status, error } = await node.run(speechToText);
	expect(error?.message).toBe(
		'The API key is probably not allowed to do this (403): Your plan was cancelled',
	);
	expect(status).toBe('error');
});

it('does not carry an old error of the input into a success', async () => {
	const { items, errorItems } = await node.run(
		{ ...speechToText, options: { includeInputFields: true } },
		{ json: { id: 7, error: { message: 'old' } }, node: modes['error output'] },
	);
	expect(errorItems).toEqual([]);
	expect(items[0]?.json).toEqual({ id: 7, ok: true });
});

it('sends only the first item with Execute Once', async () => {
	const { calls, items } = await node.runItems(3, { node: { executeOnce: true } });
	expect(calls).toEqual([0]);
	expect(items).toHaveLength(1);
});

const described = n8n.combined ? describe : describe.skip;

described("with the workflow setting binaryMode 'combined'", () => {
	it('does not take a field of json that only looks like a file by default', async () => {
		const { binary } = await node.engine.item({}, { data: callWav });
		const items = [{ json: { attachment: binary?.data } } as unknown as INodeExecutionData];
		const { message } = await node.runUnsent(speechToText, {
			items,
			settings: { binaryMode: 'combined' },
		});
		expect(message).toBe('The item has no file');
	});
});

describe('an array in a field that is sent as text is refused', () => {
	it.each([
		{ parameter: 'Voice ID', parameters: { ...speak, voiceId: '={{ ["vc_1", "vc_2"] }}' } },
		{ parameter: 'Text', parameters: { ...speak, text: '={{ ["a", "b"] }}' } },
		{ parameter: 'Language', parameters: { ...speechToText, language: '={{ ["en"] }}' } },
	])('refuses an array in $parameter, which is sent as text', async ({ parameter, parameters }) => {
		const { message } = await node.runUnsent(parameters);
		expect(message).toBe(`'${parameter}' must be a text, but its expression returns a list`);
	});
});

it('sends Language and Voice ID without surrounding white space', async () => {
	const { request } = await node.runOnce({ ...speechToText, language: ' en\n' });
	expect(request.parts.map(({ name, body }) => [name, body.length])).toEqual([
		['file', recording.length],
		['language', 2],
	]);
});

it('counts the results that an earlier try had already paid for in a hint', async () => {
	const { run, calls } = await node.runItems(3, {
		respond: (item, earlier) => (item === 2 && earlier === 0 ? 500 : 200),
		concurrency: 1,
		maxTries: 2,
	});
	expect(calls).toEqual([0, 1, 2, 2]);
	const [task] = run.data.resultData.runData['Voice and Speech'] ?? [];
	const messages = task?.hints?.map(({ message }) => message);
	expect(messages).toEqual([
		'Items that had succeeded in an earlier try and were not sent again: 2',
	]);
});

it('lets n8n do other work while many items with expressions are checked', async () => {
	let turns = 0;
	let isRunning = true;
	async function countTurns(): Promise<void> {
		while (isRunning) {
			await sleep(0);
			turns++;
		}
	}
	const items = numberedItems(300);
	let turnsBefore: number | undefined;
	let turnsAfter = 0;
	Object.defineProperty(items[0]?.json, 'number', {
		get: () => {
			turnsBefore ??= turns;
			return 'first';
		},
	});
	// It fails, so nothing is sent.
	Object.defineProperty(items[299]?.json, 'number', {
		get: () => {
			turnsAfter = turns;
			return '';
		},
	});
	const counting = countTurns();
	const parameters = {
		inputType: 'text',
		text: '={{ $json.number }}',
		language: '={{ "e" + "n" }}',
	};
	const { error } = await node.run({ ...undocumented, ...parameters }, { items });
	isRunning = false;
	await counting;
	expect(error?.message).toBe("'Text' is empty");
	expect(turnsAfter).toBeGreaterThan(turnsBefore as unknown as number);
});

it("keeps markup of the service out of n8n's editor, and the statement about the debit", async () => {
	node.service.answer = json({ message: 'See <a href="https://evil.example/">here</a><!--' }, 400);
	const { error } = await node.run(speechToText);
	expect(error?.message).toContain('See ‹a href="https://evil.example/"›here‹/a›‹!--');
	expect(`${error?.message}${error?.description}`).not.toMatch(/[<>]/);
	expect(error?.description).toContain('The service refused the call.');
});
