import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Makes a folder for the tests of a describe or file, and deletes it after them. */
export function createTestFolder(): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-test-'));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
