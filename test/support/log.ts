/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import './n8nFolder';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { stringify } from 'flatted';
import { Writable } from 'node:stream';

/** Of winston. A transport is a stream of entries with a method `log`. */
interface InternalLogger {
	silent: boolean;
	add(transport: Writable): void;
	remove(transport: Writable): void;
}

/** Turns n8n's log on for the tests of a file, with all its details, and gives its entries. */
export function useLog(): string[] {
	const { internalLogger } = Container.get(Logger) as unknown as { internalLogger: InternalLogger };
	const entries: string[] = [];
	const write = (entry: unknown, _encoding: string, done: () => void) => {
		entries.push(stringify(entry));
		done();
	};
	const transport = Object.assign(new Writable({ objectMode: true, write }), { log() {} });
	beforeAll(() => {
		internalLogger.silent = false;
		internalLogger.add(transport);
	});
	afterAll(() => {
		internalLogger.silent = true;
		internalLogger.remove(transport);
	});
	return entries;
}
