/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// n8n reads its settings when it is loaded: import this module before the engine.
const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-log-'));
const file = path.join(folder, 'n8n.log');
process.env.N8N_LOG_LEVEL = 'debug';
process.env.N8N_LOG_OUTPUT = 'file';
process.env.N8N_LOG_FILE_LOCATION = file;

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { sleep } from 'n8n-workflow';

const logger = Container.get(Logger);

/** n8n's log since the test file began. */
export async function logText(): Promise<string> {
	const last = `The log was read at ${Date.now()}`;
	logger.debug(last);
	for (;;) {
		const text = readFileSync(file, 'utf8');
		if (text.includes(last)) return text;
		await sleep(20);
	}
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));
