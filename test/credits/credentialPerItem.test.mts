import { enableBatching, readItemNumber, sortNumbers } from '../support/calls.mts';
import { useNode, type RunItemsSetup } from '../support/node.mts';
import { listErrors, expectNothingDebited } from '../support/outcome.mts';
import { ScriptedServer } from '../support/servers/scriptedServer.mts';
import { expectNoKey, secretKey } from '../support/secret.mts';
import { settle } from '../support/waiting.mts';

// test/credits/invariants.test.mts tests, in any order of events, that each item has its own key, that the node allows this
// key, and that errors name its wallet.

const node = useNode();
const other = ScriptedServer.use();

/** Runs, and expects no part of the key in what n8n saves of the run. */
async function run(items: Parameters<typeof node.runItems>[0], setup: RunItemsSetup) {
	const output = await node.runItems(items, setup);
	expectNoKey(output.run);
	const keys = node.service.requests.map(({ headers }) => headers['x-api-key']);
	return { ...output, keys };
}

it('sends each item to its own base URL', async () => {
	const { calls } = await run(3, {
		credential: (index) => ({ baseUrl: index === 1 ? other.baseUrl : node.service.baseUrl }),
	});
	expect(other.requests.map(readItemNumber)).toEqual([1]);
	expect(sortNumbers(calls)).toEqual([0, 2]);
});

it('reads the credential once for each item, and sends it as it was checked', async () => {
	let reads = 0;
	// n8n resolves the credential's expressions again at each read.
	const output = await run(20, { credential: () => ({ apiKey: `eak_test_${reads++}` }) });
	expect(output.items).toHaveLength(20);
	expect(reads).toBe(20);
	expect(output.calls).toHaveLength(20);
	expect(output.keys).toEqual(output.calls.map((item) => `eak_test_${item}`));
});

it('reads the credential of an item once if the Items per Batch are -1, also after another key was refused', async () => {
	const reads = [0, 0];
	const { calls } = await node.runItems(2, {
		parameters: enableBatching(-1, 10),
		respond: (item) => (item === 0 ? 401 : 200),
		credential: (item) => {
			reads[item]!++;
			return { apiKey: `eak_test_${item}` };
		},
		concurrency: 1,
		onError: 'Continue',
	});
	expect(calls).toEqual([0, 1]);
	expect(reads).toEqual([1, 1]);
});

it('reads credentials one after the other, because n8n has few database connections', async () => {
	let reading = 0;
	let most = 0;
	const { items } = await run(23, {
		concurrency: 50,
		credential: async () => {
			reading++;
			most = Math.max(most, reading);
			await settle(3);
			reading--;
			return {};
		},
	});
	expect(items).toHaveLength(23);
	expect(most).toBe(1);
});

it('fails only the item whose credential cannot be read if On Error is Continue', async () => {
	const output = await run(3, {
		onError: 'Continue',
		credential: (index) => {
			if (index === 1) throw new Error('Referenced node is unexecuted');
			return { apiKey: secretKey };
		},
	});
	expect(sortNumbers(output.calls)).toEqual([0, 2]);
	const [first, second, third] = listErrors(output);
	expect([first, third]).toEqual([undefined, undefined]);
	expect(second).toContain('unexecuted');
	expectNothingDebited(second);
});
