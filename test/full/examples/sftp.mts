import { createNode, createVoiceNode, publishFlow } from '../../support/flow.mts';
import { speechToTextParameters } from '../../support/nodeParameters.mts';
import { readRepositoryFile } from '../../support/repository.mts';
import { respondWithBytes } from '../../support/servers/scriptedServer.mts';
import { runner } from './exampleRunner.mts';

/** What n8n's FTP node outputs of a file or a folder, as far as the steps use it. */
interface Listed {
	type: '-' | 'd';
	path: string;
	size: number;
}

const createFile = (name: string, size = 10_000): Listed => ({
	type: '-',
	path: `/calls/${name}`,
	size,
});

/**
 * A schedule lists a folder of an SFTP server, as docs/how-to.md says. Here, a request is in place of the schedule, and
 * brings the two lists of the FTP nodes.
 */
export function testSftp(): void {
	const [, steps = ''] = /\*\*S3, MinIO, Dropbox and SFTP:\*\*([^]*?)\n\*\*Then,/.exec(
		readRepositoryFile('docs/how-to.md'),
	)!;
	const [, pattern = ''] = /`(\/\(\^[^`]+\/i)`/.exec(steps)!;
	const [, isUnchanged = ''] = /`(\{\{ \$\('FTP'\)[^`]+\}\})`/.exec(steps)!;
	let workflowId: string;

	const createList = (name: string, field: string) =>
		createNode(name, 'n8n-nodes-base.code', 2, {
			jsCode: `return $('Webhook').first().json.body.${field}.map((json) => ({ json }));`,
		});
	const createCondition = (
		leftValue: string,
		type: string,
		operation: string,
		rightValue = '',
	) => ({
		id: operation + rightValue,
		leftValue: `=${leftValue}`,
		rightValue,
		operator: { type, operation, ...(type === 'boolean' ? { singleValue: true } : {}) },
	});

	beforeAll(async () => {
		const { rest, credential } = runner.demo;
		const webhook = { httpMethod: 'POST', path: 'sftp', options: {} };
		const trigger = createNode('Webhook', 'n8n-nodes-base.webhook', 2, webhook);
		const nodes = [
			createList('FTP', 'first'),
			createNode('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 1 }),
			createList('FTP1', 'second'),
			createNode('Filter', 'n8n-nodes-base.filter', 2.2, {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
					conditions: [
						createCondition('{{ $json.type }}', 'string', 'equals', '-'),
						createCondition('{{ $json.path }}', 'string', 'regex', pattern),
						createCondition(isUnchanged, 'boolean', 'true'),
					],
					combinator: 'and',
				},
				options: {},
			}),
			createNode('Remove Duplicates', 'n8n-nodes-base.removeDuplicates', 2, {
				operation: 'removeItemsSeenInPreviousExecutions',
				logic: 'removeItemsWithAlreadySeenKeyValues',
				dedupeValue: '={{ $json.path }}',
				options: { historySize: 100_000 },
			}),
			createNode('Download', 'n8n-nodes-base.httpRequest', 4.2, {
				url: `=${runner.scriptedServer.baseUrl}{{ encodeURI($json.path) }}`,
				options: { response: { response: { responseFormat: 'file' } } },
			}),
			createVoiceNode(speechToTextParameters),
		];
		const from = { trigger: { ...trigger, webhookId: 'sftp' } };
		workflowId = await publishFlow(rest, { from, nodes }, credential);
	});

	it('an upload in progress is left for the next time, and only recordings are downloaded', async () => {
		const { scriptedServer } = runner;
		scriptedServer.reset(respondWithBytes(await runner.speak('I am complete.'), 'audio/wav'));
		/** Runs the schedule once; returns what was downloaded and paid. */
		const runSchedule = async (first: Listed[], second = first) => {
			scriptedServer.requests.length = 0;
			const post = async () => {
				expect((await runner.post('sftp', { first, second })).status).toBe(200);
			};
			const { paid } = await runner.startAndWait(workflowId, post);
			return { downloaded: scriptedServer.requests.map(({ url }) => decodeURI(url)), paid };
		};
		const names = ['.call.wav', 'call.wav.filepart', 'call.wav.txt', 'wav', 'Grüße 1.2.OGA'];
		const others: Listed[] = [
			...names.map((name) => createFile(name)),
			createFile('empty.wav', 0),
			{ ...createFile('folder.wav'), type: 'd' },
		];
		const [slow, grown] = [createFile('slow.wav', 100), createFile('slow.wav', 200)];
		const paid = ['speech-to-text'];
		expect(await runSchedule([...others, slow], [...others, grown])).toEqual({
			downloaded: ['/calls/Grüße 1.2.OGA'],
			paid,
		});
		const all = [...others, grown];
		expect(await runSchedule(all)).toEqual({ downloaded: ['/calls/slow.wav'], paid });
		expect(await runSchedule(all)).toEqual({ downloaded: [], paid: [] });
	});
}
