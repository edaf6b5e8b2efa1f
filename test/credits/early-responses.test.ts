import { sleep } from 'n8n-workflow';

import { speechToText, useNode } from '../support/node';
import { errorText, expectMaybeDebited, maybeDebited, nothingDebited } from '../support/outcome';
import { wav } from '../support/recordings';
import { ScriptedServer } from '../support/scriptedServer';

const node = useNode();

/** The start of audio that its server announces to be longer. */
const part = Buffer.concat([wav(), Buffer.alloc(300_000)]);

let breakSource = () => {};

const source = ScriptedServer.use((_request, response) => {
	response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 50e6 });
	response.write(part);
	breakSource = () => response.destroy();
});

const page = '<html><head><title>Proxy</title></head><body><h1>Sorry, not today</h1></body></html>';

interface Way {
	/** The page, or only a part of it. */
	isComplete: boolean;
	/** Whether the service goes on reading the upload. */
	reads: boolean;
	/** From the response to the end of the audio, in ms. */
	delay: number;
}

/** The service responds while the audio is uploaded; then the audio breaks off. */
async function run(status: number, { isComplete, reads, delay }: Way) {
	node.service.intercept = (request, response) => {
		request.once('data', () => {
			if (!reads) request.pause();
			const length = isComplete ? page.length : page.length + 1000;
			// The run may end before the delay: not the source of the next test.
			const breakOwnSource = breakSource;
			const headers = { 'Content-Type': 'text/html', 'Content-Length': length };
			response.writeHead(status, headers).write(page);
			void sleep(delay).then(breakOwnSource);
		});
		return true;
	};
	const parameters = { ...speechToText, audioSource: 'url', audioUrl: `${source.baseUrl}/a.wav` };
	const output = await node.run(parameters, { files: {} });
	expect(output.items).toEqual([]);
	expect(node.service.arrived).toBe(1);
	return errorText(output);
}

const ways: Way[] = [true, false].flatMap((isComplete) =>
	[true, false].flatMap((reads) => [0, 50].map((delay) => ({ isComplete, reads, delay }))),
);

describe.each(ways)('a response before the audio breaks off is the error: %j', (way) => {
	it.each([413, 502])(
		`shows a response with status %i that arrives before the audio breaks off (${JSON.stringify(way)})`,
		async (status) => {
			const text = await run(status, way);
			expect(text).toContain(`(${status}): Sorry, not today`);
			expect(text).not.toContain('could not be read');
			expect(text).not.toMatch(nothingDebited);
			// HTTP says of a 413 that the service refused the request.
			expect(maybeDebited.test(text)).toBe(status === 502);
		},
	);
});

it.each(ways.filter(({ isComplete }) => isComplete))(
	'shows a page with status 200 that arrives before the audio breaks off (%j)',
	async (way) => {
		const text = await run(200, way);
		expect(text).toContain('The service returned HTML instead of JSON');
		expect(text).toContain('Sorry, not today');
		expectMaybeDebited(text);
	},
);
