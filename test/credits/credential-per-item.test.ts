import { stringify } from 'flatted';
import type { ICredentialDataDecryptedObject, IRun } from 'n8n-workflow';

import { callWav, speechToText, useNode } from '../support/node';
import { errorText, expectNothingDebited, maybeDebited, outcomesOf } from '../support/outcome';
import { json, Recorder } from '../support/recorder';
import { expectNoKey, secretKey } from '../support/secret';
import { after, ask, itemOf, modes, numbered, Till, tries, upTo } from './till';

const node = useNode();

const sandbox = { apiKey: secretKey, environment: 'sandbox' };
/** A key that has nothing in common with the first one: masking one does not mask the other. */
const otherSecret = 'Hn4tR8sL1pQ6';
const liveKey = ['eak', 'live', otherSecret].join('_');
const live = { apiKey: liveKey, environment: 'live' };

/** Neither of the two keys, nor their secret parts, are in what n8n saves of the run. */
function expectNeitherKey(run: IRun): void {
	expectNoKey(run);
	expect(stringify(run)).not.toContain(otherSecret);
}

/** Sandbox for all items but these. */
function liveFor(...indexes: number[]) {
	return (index: number): ICredentialDataDecryptedObject =>
		indexes.includes(index) ? live : sandbox;
}

/** The keys that arrived, by item. */
function keysSent(): Record<number, string | undefined> {
	return Object.fromEntries(
		node.service.requests.map((request) => [
			itemOf(request),
			request.headers['x-api-key'] as string,
		]),
	);
}

describe('a key of an environment that is not allowed', () => {
	it.each([0, 1, 2])('of item %i is never sent: nothing is, without continue', async (at) => {
		const till = new Till(node.service, () => 200);
		const output = await node.run(
			{ ...ask, allowedEnvironment: 'sandbox' },
			{ items: numbered(3), credential: liveFor(at) },
		);
		expect(till.calls).toEqual([]);
		expect(output.error).toMatchObject({ context: { itemIndex: at } });
		expect(errorText(output)).not.toMatch(maybeDebited);
		expectNeitherKey(output.run);
	});

	it.each([0, 1, 2])('of item %i is never sent: the others are, with continue', async (at) => {
		const till = new Till(node.service, () => 200);
		const output = await node.run(
			{ ...ask, allowedEnvironment: 'sandbox' },
			{ items: numbered(3), node: modes.continue, credential: liveFor(at) },
		);
		expect(till.calls.sort()).toEqual(upTo(3).filter((index) => index !== at));
		const errors = outcomesOf(output).map(({ error }) => error);
		expect(errors[at]).toMatch(/live/i);
		expect(errors.filter((error) => error !== undefined)).toHaveLength(1);
	});

	it('of one environment for some items, and of the other for the rest, by an expression', async () => {
		const till = new Till(node.service, () => 200);
		const items = numbered(4);
		items.forEach((item, index) =>
			Object.assign(item.json, { allowed: index < 2 ? 'sandbox' : 'live' }),
		);
		const output = await node.run(
			{ ...ask, allowedEnvironment: '={{ $json.allowed }}' },
			{ items, node: modes.continue, credential: liveFor(1, 2) },
		);
		expect(till.calls.sort()).toEqual([0, 2]);
		expect(outcomesOf(output).map(({ error }) => error === undefined)).toEqual([
			...[true, false, true, false],
		]);
	});
});

it('each item is sent with its own key', async () => {
	new Till(node.service, () => 200);
	const { error } = await node.run(ask, { items: numbered(3), credential: liveFor(1) });
	expect(error).toBeUndefined();
	expect(keysSent()).toEqual({ 0: secretKey, 1: liveKey, 2: secretKey });
});

it('each item is sent to its own base URL', async () => {
	const other = await Recorder.start();
	const items = numbered(3);
	await node.run(ask, {
		items,
		credential: (index) => ({ baseUrl: index === 1 ? other.baseUrl : node.service.baseUrl }),
	});
	await other.stop();
	expect(other.requests.map(itemOf)).toEqual([1]);
	expect(node.service.requests.map(itemOf).sort()).toEqual([0, 2]);
});

it.each([0, 1])('a 402 names the wallet of the key that was sent, item %i', async (at) => {
	new Till(node.service, (item) => (item === at ? 402 : 200));
	const { error } = await node.run(
		{ ...ask, options: { concurrency: 1 } },
		{ items: numbered(2), credential: liveFor(at) },
	);
	const text = errorText({ error });
	expect(text).toMatch(/\blive wallet/);
	expect(text).toContain('eak_live_');
	expect(text).not.toMatch(/sandbox/i);
});

describe('the key of an item is masked', () => {
	it.each([
		[200, modes.stop],
		[400, modes.stop],
		[400, modes.continue],
		[500, modes['error output']],
	])('where a response with status %s repeats it', async (status, mode) => {
		const repeated = { message: `${liveKey}, ${otherSecret}`, key: otherSecret };
		new Till(node.service, (item) => (item === 1 ? json(repeated, status) : 200));
		const output = await node.run(ask, {
			items: numbered(3),
			node: mode,
			credential: liveFor(1),
		});
		expect(keysSent()[1]).toBe(liveKey);
		expect(stringify(output.run)).toContain('***');
		expectNeitherKey(output.run);
	});
});

describe('a credential that cannot be used for one item', () => {
	it.each<[string, ICredentialDataDecryptedObject, RegExp]>([
		['no key', { apiKey: '' }, /'API Key'/],
		['a key of the other environment', { apiKey: liveKey }, /'Environment'/],
		['no base URL', { baseUrl: '' }, /'Base URL'/],
	])('fails this item only, with continue: %s', async (_what, change, names) => {
		const till = new Till(node.service, () => 200);
		const output = await node.run(ask, {
			items: numbered(3),
			node: modes.continue,
			credential: (index) => ({ ...sandbox, ...(index === 1 ? change : {}) }),
		});
		expect(till.calls.sort()).toEqual([0, 2]);
		const errors = outcomesOf(output).map(({ error }) => error);
		expect(errors).toEqual([undefined, expect.stringMatching(names), undefined]);
	});

	it('fails this item only, with continue: it cannot be read', async () => {
		const till = new Till(node.service, () => 200);
		const output = await node.run(ask, {
			items: numbered(3),
			node: modes.continue,
			credential: (index) => {
				if (index === 1) throw new Error('Referenced node is unexecuted');
				return sandbox;
			},
		});
		expect(till.calls.sort()).toEqual([0, 2]);
		const errors = outcomesOf(output).map(({ error }) => error);
		expect(errors).toEqual([undefined, expect.stringContaining('unexecuted'), undefined]);
		expectNothingDebited(errors[1]);
	});
});

describe('a credential that is edited during the run', () => {
	/** Edited as soon as the first call has arrived. */
	async function edited(change: ICredentialDataDecryptedObject, more = {}, settings = {}) {
		let current: ICredentialDataDecryptedObject = sandbox;
		const till = new Till(node.service, (item) => {
			current = { ...sandbox, ...change };
			return after(20, json({ item }));
		});
		const output = await node.run(
			{ ...ask, options: { concurrency: 1 }, ...more },
			{ items: numbered(3), credential: () => current, node: settings },
		);
		return { ...output, till };
	}

	it('without continue, the keys that were checked before the first call are sent', async () => {
		const allowed = { allowedEnvironment: 'sandbox' };
		const { till, error, run } = await edited(live, allowed);
		expect(keysSent()).toEqual({ 0: secretKey, 1: secretKey, 2: secretKey });
		expect(till.calls).toEqual([0, 1, 2]);
		expect(error).toBeUndefined();
		expectNeitherKey(run);
	});

	it('with continue: all items that were not sent say so', async () => {
		const allowed = { allowedEnvironment: 'sandbox' };
		const output = await edited(live, allowed, modes.continue);
		expect(output.till.calls).toEqual([0]);
		const errors = outcomesOf(output).map(({ error }) => error);
		expect(errors).toEqual([undefined, expect.any(String), expect.any(String)]);
		for (const error of errors.slice(1)) {
			expect(error).toMatch(/nothing was (debited|sent)/i);
			expect(error).not.toMatch(maybeDebited);
		}
	});

	it('the key goes to the base URL that it was checked with', async () => {
		const other = await Recorder.start(json({}));
		const { error } = await edited({
			apiKey: liveKey,
			environment: 'live',
			baseUrl: other.baseUrl,
		});
		const keys = [
			...node.service.requests.map(({ headers }) => headers['x-api-key']),
			...other.requests.map(({ headers }) => headers['x-api-key']),
		];
		await other.stop();
		expect(node.service.requests.every(({ headers }) => headers['x-api-key'] === secretKey)).toBe(
			true,
		);
		expect(other.requests.every(({ headers }) => headers['x-api-key'] === liveKey)).toBe(true);
		// Either the edited credential is used, or its item is refused: never a mixture.
		if (error === undefined) expect(keys).toHaveLength(3);
	});

	it('a wallet that is named, and a key that is masked, is that of the key that was sent', async () => {
		let current: ICredentialDataDecryptedObject = sandbox;
		node.service.answer = (request, response, index) => {
			const key = String(request.headers['x-api-key']);
			current = live;
			json({ message: `${key} is empty` }, index === 0 ? 200 : 402)(request, response, index);
		};
		const output = await node.run(
			{ ...ask, options: { concurrency: 1 } },
			{ items: numbered(2), credential: () => current },
		);
		const sent = node.service.requests.at(-1)?.headers['x-api-key'];
		const wallet = sent === liveKey ? 'live' : 'sandbox';
		// The item may be refused instead, because its key is no longer the one that was checked.
		if (node.service.arrived === 2) expect(errorText(output)).toContain(`${wallet} wallet`);
		expectNeitherKey(output.run);
	});
});

it('Retry On Fail: an item that was paid with one key is sent again if its key has changed', async () => {
	let current: ICredentialDataDecryptedObject = sandbox;
	const till = new Till(node.service, (item, before) => {
		if (item === 1 && before === 0) {
			current = live;
			return 500;
		}
		return 200;
	});
	await node.run(
		{ ...ask, options: { concurrency: 1 } },
		{ items: numbered(2), node: tries(2), credential: () => current },
	);
	expect(till.calls).toEqual([0, 1, 0, 1]);
	expect(node.service.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
		...[secretKey, secretKey, liveKey, liveKey],
	]);
});

it('audio: the key of each item is checked before its file is opened', async () => {
	const file = await node.engine.item({}, { data: callWav });
	const { error } = await node.run(
		{ ...speechToText, allowedEnvironment: 'sandbox' },
		{ items: [file, file], credential: liveFor(1) },
	);
	expect(error).toMatchObject({ context: { itemIndex: 1 } });
	expect(node.service.arrived).toBe(0);
});
