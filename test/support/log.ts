/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// n8n reads its settings when it is loaded: this module goes before the engine.
const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-log-'));
const file = path.join(folder, 'n8n.log');
process.env.N8N_LOG_LEVEL = 'debug';
process.env.N8N_LOG_OUTPUT = 'file';
process.env.N8N_LOG_FILE_LOCATION = file;

/** Everything that n8n wrote into its log since the test file began. */
export function logText(): string {
	return readFileSync(file, 'utf8');
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));
