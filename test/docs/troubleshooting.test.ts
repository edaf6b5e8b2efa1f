import { OutboundHttp } from '@n8n/backend-network';
import { Container } from '@n8n/di';

import { callWav, useNode } from '../support/node';
import { bytes, json, ScriptedServer } from '../support/scriptedServer';
import { quotesOf } from './markdown';
import { elsewhere, testMessages, troubles, type Trouble } from './troubles';

const node = useNode();

/** n8n's protection of internal addresses, which N8N_SSRF_PROTECTION_ENABLED turns on. */
const { ssrfConfig } = Container.get(OutboundHttp) as unknown as {
	ssrfConfig: { enabled: boolean };
};

afterEach(() => (ssrfConfig.enabled = false));

/** A quote of the page as the pattern of what is said: `…` stands for what differs. */
const quotes = quotesOf('docs/troubleshooting.md').map(({ place, text }) => {
	const parts = text.replace(/\*\*|`/g, '').split('…');
	const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*');
	return { place, pattern: new RegExp(`^${pattern}$`) };
});

let page: ScriptedServer;
let gone: string;

beforeAll(async () => {
	page = await ScriptedServer.start(bytes('<!doctype html><html></html>', 'text/html'));
	const recorder = await ScriptedServer.start();
	gone = recorder.baseUrl;
	await recorder.stop();
});

afterAll(async () => await page.stop());

interface Saying {
	message?: string;
	description?: string | null;
}

const sentence = ({ message, description }: Saying) => `${message} ${description ?? ''}`.trim();

/** Runs into the trouble; gives what the node says. */
async function meet({ parameters, scene = {}, answer, isGone, isBlocked, items = 1 }: Trouble) {
	node.service.answer = answer ?? json({});
	ssrfConfig.enabled = isBlocked === true;
	const { files = { data: callWav }, credential, ...rest } = scene;
	const given = await Promise.all(
		Array.from({ length: items }, async () => await node.engine.item({}, files)),
	);
	const output = await node.run(
		{ ...parameters, audioUrl: `${page.baseUrl}/share` },
		{
			items: given,
			...rest,
			credential: { ...credential, ...(isGone === true ? { baseUrl: gone } : {}) },
		},
	);
	const failed = output.items.map(({ json: fields }) => fields.error as Saying);
	return [...(output.error ? [output.error as Saying] : []), ...failed].map(sentence);
}

describe('docs/troubleshooting.md', () => {
	const said: string[] = [...elsewhere.map(sentence), ...testMessages()];

	it.each(Object.entries(troubles))('quotes what the node says: %s', async (_name, trouble) => {
		const sayings = await meet(trouble);
		expect(sayings).not.toHaveLength(0);
		said.push(...sayings);
		// With several items the last one is what the trouble is about.
		const last = sayings.at(-1)!;
		const isQuoted = quotes.some(({ pattern }) => pattern.test(last));
		expect([isQuoted, last]).toEqual([true, last]);
	});

	it('quotes nothing that is not said', () => {
		expect(said.length).toBeGreaterThan(Object.keys(troubles).length);
		const unsaid = quotes.filter(({ pattern }) => !said.some((each) => pattern.test(each)));
		expect(unsaid).toEqual([]);
	});
});
