import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { onErrorSettings } from '../support/calls.mts';
import { canListOpenFiles, listOpenStoredFiles } from '../support/openFiles.mts';
import { createLargeWav, useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { readErrorText, maybeDebited, nothingDebited } from '../support/outcome.mts';
import { createWav } from '../support/media/recordings.mts';
import { ScriptedServer } from '../support/servers/scriptedServer.mts';
import { settleAll } from '../support/waiting.mts';

const node = useNode();

const files = { data: createLargeWav() };

it.each(['reads on', 'stops reading', 'never reads'])(
	'takes a refusal of the key before the end of the upload, and does not send the next item, if the service %s',
	async (how) => {
		node.service.intercept = (request, response) => {
			if (how === 'reads on') request.resume();
			if (how === 'stops reading') request.once('data', () => request.pause());
			response.writeHead(402, { 'Content-Type': 'application/json' });
			response.end('{"message":"Empty."}');
			return true;
		};
		const file = await node.engine.createItemWithFiles({}, files);
		const { items } = await node.run(
			{ ...speechToTextParameters, options: { concurrency: 1 } },
			{ items: [file, file], node: onErrorSettings.Continue },
		);
		expect(items.map((item) => (item.json.error as { message: string }).message)).toEqual([
			expect.stringMatching(/402.*Empty/),
			expect.stringContaining('not sent, because item 0'),
		]);
		expect(node.service.requestCount).toBe(1);
		if (canListOpenFiles) await waitUntil(() => listOpenStoredFiles().length === 0);
	},
);

/** The start of audio whose server declares a longer body. */
const part = Buffer.concat([createWav(), Buffer.alloc(300_000)]);

let breakSource = () => {};

const source = ScriptedServer.use((_request, response) => {
	response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 50e6 });
	response.write(part);
	breakSource = () => response.destroy();
});

const page = '<html><head><title>Proxy</title></head><body><h1>Sorry, not today</h1></body></html>';

interface Way {
	/** How much of the page arrives. */
	page: 'all' | 'a part';
	/** What the service does with the rest of the upload. */
	upload: 'reads' | 'does not read';
	/** When the audio breaks off. */
	breaksOff: 'at once' | 'later';
}

/** The service responds while the audio is uploaded; then the audio breaks off. */
async function runWithEarlyResponse(status: number, way: Way) {
	node.service.intercept = (request, response) => {
		request.once('data', async () => {
			if (way.upload === 'does not read') request.pause();
			const length = way.page === 'all' ? page.length : page.length + 1000;
			// The run may end before the audio breaks off. Then the source of the next test must not break.
			const breakOwnSource = breakSource;
			const headers = { 'Content-Type': 'text/html', 'Content-Length': length };
			response.writeHead(status, headers).write(page);
			if (way.breaksOff === 'later') await settleAll();
			breakOwnSource();
		});
		return true;
	};
	const parameters = {
		...speechToTextParameters,
		audioSource: 'url',
		audioUrl: `${source.baseUrl}/a.wav`,
	};
	const output = await node.run(parameters, { files: {} });
	expect(output.items).toEqual([]);
	expect(node.service.requestCount).toBe(1);
	return readErrorText(output);
}

const ways: Way[] = [
	{ page: 'all', upload: 'reads', breaksOff: 'at once' },
	{ page: 'all', upload: 'does not read', breaksOff: 'later' },
	{ page: 'a part', upload: 'reads', breaksOff: 'later' },
	{ page: 'a part', upload: 'does not read', breaksOff: 'at once' },
];

// HTTP says of a 413 that the service refused the request.
const responses = [
	{ status: 413, shown: /\(413\): Sorry, not today/, mayBeDebited: false },
	{ status: 502, shown: /\(502\): Sorry, not today/, mayBeDebited: true },
	{
		status: 200,
		shown: /The service returned HTML instead of JSON.*'Sorry, not today'/,
		mayBeDebited: true,
	},
];

const rows = responses.flatMap((response) => ways.map((way) => ({ ...response, way })));

it.each(rows.filter(({ status, way }) => status !== 200 || way.page === 'all'))(
	'shows $way.page of a page with status $status if the audio breaks off $way.breaksOff and the service $way.upload the rest of the upload',
	async ({ status, shown, mayBeDebited, way }) => {
		const text = await runWithEarlyResponse(status, way);
		expect(text).toMatch(shown);
		expect(text).not.toContain('could not be read');
		expect(text).not.toMatch(nothingDebited);
		expect(maybeDebited.test(text)).toBe(mayBeDebited);
	},
);
