import { RoutingNode } from 'n8n-core';
import type { IExecuteFunctions, INodeParameters, INodeType } from 'n8n-workflow';

import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';
import {
	enableBatching,
	enableRetryOnFail,
	listPairedItems,
	onErrorSettings,
} from '../support/calls.mts';
import { createDeclarativeNode, createRoutedNode } from '../support/engine.mts';
import { callWav, useNode } from '../support/node.mts';
import { getDetailsParameters, sentimentParameters } from '../support/nodeParameters.mts';
import { respondWithJson } from '../support/servers/scriptedServer.mts';
import { settleAll } from '../support/waiting.mts';

const node = useNode();

const callParameters = { ...sentimentParameters, text: 'a' };

// For these values, n8n finds no function, and uses its RoutingNode.
const unknown: Array<{ what: string; parameters: INodeParameters }> = [
	{ what: 'Resource is unknown', parameters: { resource: 'video' } },
	{ what: 'Operation is a property of every object', parameters: { operation: 'constructor' } },
];
const expression = { operation: '={{ "analyzeSentiment" }}' };

it.each(unknown)('sends nothing, and says what to do, where $what', async ({ parameters }) => {
	const { message, description } = await node.runUnsent({ ...callParameters, ...parameters });
	expect(message).toBe("'Resource' and 'Operation' must be chosen from their lists");
	expect(description).toContain('This item was not sent, so it was not debited.');
});

it.each([...unknown, { what: 'Operation is an expression', parameters: expression }])(
	'fails each item with its fields and files where $what, if On Error is Continue',
	async ({ parameters }) => {
		const item = await node.engine.createItemWithFiles({ id: 7 }, { data: callWav });
		const { items } = await node.run(
			{ ...callParameters, text: '={{ "" }}', ...parameters },
			{ items: [item, item], node: onErrorSettings.Continue },
		);
		expect(node.service.requestCount).toBe(0);
		const { binary } = item;
		const failed = { json: { id: 7, error: { debit: 'notSent' } }, binary };
		expect(items).toMatchObject([failed, failed]);
	},
);

describe("n8n's Engine 2.0, which knows no function for all items and hands them over one by one,", () => {
	const nodeType = createRoutedNode();

	it('makes the calls of all items, one at a time', async () => {
		const { all, calls, error } = await node.runItems(5, { nodeType });
		expect(error).toBeUndefined();
		expect(calls).toEqual([0, 1, 2, 3, 4]);
		expect(node.service.maxInProgress).toBe(1);
		expect(listPairedItems(all)).toEqual([0, 1, 2, 3, 4]);
		expect(all.map(({ json }) => json.item)).toEqual([0, 1, 2, 3, 4]);
	});

	it('sends nothing after a failure that stops the run, and shows that failure', async () => {
		const respond = (item: number) => (item === 1 ? 500 : 200);
		const { calls, error } = await node.runItems(4, { nodeType, respond });
		expect(calls).toEqual([0, 1]);
		expect(error?.message).toContain('(500)');
		expect(error?.description).toContain('1 other item of this run was debited');
		expect(error?.context).toMatchObject({ itemIndex: 1 });
	});

	const giveSecond = (value: string) => `={{ $json.number === "1" ? ${value} : "a" }}`;

	it.each([
		['has no text', { text: giveSecond('""') }, "'Text' is empty"],
		// n8n evaluates this one itself, and does not hand the item over.
		['throws', { language: giveSecond('$("Nowhere").item.json.x') }, 'Referenced node'],
	])('sends nothing if a later item %s, and the node stops on failure', async (...row) => {
		const [, parameters, says] = row;
		const { calls, error } = await node.runItems(2, { nodeType, parameters });
		// A call could still begin after n8n has failed the run.
		await settleAll();
		expect(calls).toEqual([]);
		expect(error?.message).toContain(says);
	});

	it('goes on after a failure if On Error is Continue, but not after its key was refused', async () => {
		const { calls, all } = await node.runItems(3, {
			nodeType,
			respond: (item) => (item === 0 ? 500 : 402),
			onError: 'Continue',
		});
		expect(calls).toEqual([0, 1]);
		expect(listPairedItems(all)).toEqual([0, 1, 2]);
		expect(JSON.stringify(all[2]?.json)).toContain('not sent, because item 1');
	});

	it('does not send again what has succeeded, with Retry On Fail', async () => {
		const respond = (item: number, earlier: number) => (item === 1 && earlier === 0 ? 500 : 200);
		const { calls, all, error } = await node.runItems(3, { nodeType, respond, maxTries: 2 });
		expect(error).toBeUndefined();
		expect(calls).toEqual([0, 1, 1, 2]);
		expect(all).toHaveLength(3);
	});

	it('does not harm n8n if the first of several batches fails', async () => {
		const rejections: unknown[] = [];
		const listen = (reason: unknown) => rejections.push(reason);
		process.on('unhandledRejection', listen);
		const { calls, error } = await node.runItems(4, {
			nodeType,
			respond: () => 500,
			parameters: enableBatching(1, 30),
		});
		process.off('unhandledRejection', listen);
		expect(calls).toEqual([0]);
		expect(error?.message).toContain('(500)');
		expect(rejections).toEqual([]);
	});
});

it("cannot run Recording with n8n's RoutingNode, which wants the credential that n8n hides", async () => {
	const { error } = await node.run(getDetailsParameters, { nodeType: createRoutedNode() });
	expect(error?.message).toBe('Credentials not found');
});

it("sends no request of n8n's own if n8n calls neither the function for all items nor the hook", async () => {
	const own = new VoiceSpeech();
	const properties = own.description.properties.map((property) =>
		property.name === 'resource' ? { ...property, routing: {} } : property,
	);
	const stripped: INodeType = { ...own, description: { ...own.description, properties } };
	delete stripped.customOperations;
	const nodeType = createDeclarativeNode(stripped);
	const { message } = await node.runUnsent(callParameters, { nodeType });
	expect(message).toContain("This credential sends its key to 'http://127.0.0.1");
	expect(message).toContain("and the request goes to 'https://voice-speech.invalid'");
});

describe('a tool of an agent before version 3, which n8n runs with its RoutingNode', () => {
	const nodeType = createRoutedNode();
	nodeType.execute = async function (this: IExecuteFunctions) {
		const own = this.getNode();
		const tool = { ...own, type: `${own.type}Tool` };
		const context = Object.create(this, { node: { value: tool } }) as IExecuteFunctions;
		return (await new RoutingNode(context as never, nodeType).runNode()) ?? [];
	};

	// test/versions/checks/agent.mts tests calls that succeed or fail once.

	it('remembers for the next try that the call of a later item may have been debited', async () => {
		node.service.respond = respondWithJson({ message: 'no luck' }, 500);
		const { error } = await node.run(sentimentParameters, {
			nodeType,
			items: [{ json: { text: '' } }, { json: { text: 'a' } }],
			node: enableRetryOnFail(2),
			credential: { consoleUrl: 'https://console.example.com' },
		});
		expect(node.service.requestCount).toBe(2);
		expect(error?.message).toContain("'Text' is empty");
		expect(error?.description).toContain(
			"The call may have been debited: check the usage dashboard in the service's console (https://console.example.com)",
		);
		expect(error?.description).not.toContain('was not sent');
	});
});

it('sends only the first item with Execute Once', async () => {
	const { calls, items } = await node.runItems(3, { node: { executeOnce: true } });
	expect(calls).toEqual([0]);
	expect(items).toHaveLength(1);
});
