/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';
import { packageJson, ROOT } from './repository';

interface Loaded {
	nodes: INodeTypeDescription[];
	credentials: ICredentialType[];
	known: { nodes: Record<string, { className: string }> };
}

describe('the package as n8n loads it', () => {
	const home = mkdtempSync(path.join(tmpdir(), 'voice-speech-load-'));
	const installed = path.join(home, 'node_modules', packageJson.name);
	let loaded: Loaded;

	beforeAll(() => {
		// A folder with the package and n8n-workflow: any other package is out of its reach.
		mkdirSync(installed, { recursive: true });
		cpSync(path.join(ROOT, 'dist'), path.join(installed, 'dist'), { recursive: true });
		cpSync(path.join(ROOT, 'package.json'), path.join(installed, 'package.json'));
		symlinkSync(
			path.join(ROOT, 'node_modules/n8n-workflow'),
			path.join(home, 'node_modules/n8n-workflow'),
			'junction',
		);
		const output = execFileSync(
			process.execPath,
			[path.join(__dirname, 'load-package.cjs'), installed, ROOT],
			{
				cwd: home,
				encoding: 'utf8',
				env: { ...process.env, N8N_USER_FOLDER: home, NODE_PATH: '' },
			},
		);
		loaded = JSON.parse(output.slice(output.lastIndexOf('\n'))) as Loaded;
	});

	afterAll(() => rmSync(home, { recursive: true, force: true }));

	it('gives the node and the credential of the contract', () => {
		expect(loaded.nodes).toMatchObject([
			{
				name: 'voiceSpeech',
				displayName: 'Voice and Speech',
				version: 1,
				credentials: [{ name: 'voiceSpeechApi', required: true }],
			},
		]);
		expect(loaded.credentials).toMatchObject([
			{ name: 'voiceSpeechApi', displayName: 'Voice and Speech API' },
		]);
		expect(loaded.known.nodes.voiceSpeech?.className).toBe('VoiceSpeech');
	});

	it('is declarative: n8n adds its own request options to such nodes', () => {
		expect(loaded.nodes[0]!.properties.map(({ name }) => name)).toContain('requestOptions');
	});

	it('is found by the words that people search for', () => {
		const { codex } = loaded.nodes[0]!;
		expect(codex?.categories).not.toHaveLength(0);
		expect(codex?.alias?.map((word) => word.toLowerCase())).toEqual(
			expect.arrayContaining([
				...['transcribe', 'transcription', 'dictation', 'voicemail', 'audio', 'recording'],
				...['speech to text', 'text to speech', 'stt', 'tts', 'voice cloning'],
				...['language detection', 'sentiment', 'intent', 'call analytics', 'answering machine'],
				...['text-to-speech', 'speech-to-text', 'transcribe audio', 'audio to text', 'phone call'],
				...['speech recognition', 'voice message', 'voice note', 'clone voice', 'detect language'],
				...['sentiment analysis', 'whisper', 'mp3'],
			]),
		);
	});

	it('shows icons that are there, for light and for dark', () => {
		for (const { iconUrl } of [...loaded.nodes, ...loaded.credentials]) {
			const { light, dark } = iconUrl as { light: string; dark: string };
			expect(light).not.toBe(dark);
			for (const url of [light, dark]) {
				const [, file] = /^icons\/n8n-nodes-voice-speech\/(dist\/icons\/.+\.svg)$/.exec(url) ?? [];
				expect(file).toBeDefined();
				expect(existsSync(path.join(installed, file!))).toBe(true);
			}
		}
	});
});
