import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import { findClosestVersion, testedVersions } from '../../dev/n8n/versions.mts';
import type { BinaryMode } from './engine.mts';

/** A version of n8n that the tests run with, and how it differs from the others. */
export interface N8nVersion {
	version: string;
	/** Version of its n8n-core. */
	coreVersion: string;
	/**
	 * Where n8n can keep files: the value of N8N_DEFAULT_BINARY_DATA_MODE, and the words for it in the results. All checks
	 * run with the first mode.
	 */
	binaryModes: Array<{ mode: BinaryMode; name: string }>;
	/** Its HTTP client leaves a call open that took longer than its own time limit. */
	leavesCallsOpen?: boolean;
	/** Workflows of this version can have the setting `binaryMode: combined`. */
	hasCombinedBinaryMode?: boolean;
	/**
	 * Errors of its requests keep the HTTP client's error as `cause`. Otherwise only some error codes prove that a
	 * request never left n8n.
	 */
	keepsCauses?: boolean;
	/** A response that its HTTP client has decompressed cannot be distinguished from any other. */
	hidesDecompression?: boolean;
	/** It can refuse requests to internal addresses. */
	ssrfProtection?: boolean;
	/** Its credential of AWS signs requests to other stores than Amazon's as they want it. */
	signsForAnyStore?: boolean;
	/** Its Google Drive node outputs the error of a file that it cannot download. Otherwise a loop ends there. */
	reportsFailedDownloads?: boolean;
}

const disk = { mode: 'filesystem', name: 'on disk' } as const;
const memory = { mode: 'default', name: 'in memory' } as const;
const database = { mode: 'database', name: 'in the database' } as const;

/** Each has its folder in `dev/n8n/`. */
const entries: Array<Omit<N8nVersion, 'coreVersion'>> = [
	{
		version: '1.123.81',
		binaryModes: [disk, memory],
	},
	{
		version: '2.0.3',
		binaryModes: [disk, database],
		leavesCallsOpen: true,
	},
	{
		version: '2.41.1',
		binaryModes: [disk, database],
		hasCombinedBinaryMode: true,
		keepsCauses: true,
		hidesDecompression: true,
		ssrfProtection: true,
		signsForAnyStore: true,
		reportsFailedDownloads: true,
	},
];

const pinned: N8nVersion[] = entries.map((entry) => {
	const lock = path.join(root, `dev/n8n/n8n-${entry.version}/pnpm-lock.yaml`);
	const [, coreVersion] = /^ {2}n8n-core@([\d.]+):$/m.exec(readFileSync(lock, 'utf8'))!;
	return { ...entry, coreVersion: coreVersion! };
});

/** Describes a version without an entry as the most similar one that has an entry, until its tests show a difference. */
function describeVersion(version: string): N8nVersion {
	const entry = pinned.find((one) => one.version === version);
	if (entry) return entry;
	const modelVersion = findClosestVersion(version);
	const model = pinned.find((one) => one.version === modelVersion);
	if (!model) throw new Error(`n8n ${modelVersion} has no entry in test/support/n8nVersions.mts`);
	const core = `.n8n-versions/n8n-${version}/node_modules/n8n-core/package.json`;
	const manifest = JSON.parse(readFileSync(path.join(root, core), 'utf8')) as { version: string };
	return { ...model, version, coreVersion: manifest.version };
}

/** The version that `npm run test:n8n` tests, which has installed it. */
const tried = process.env.TEST_N8N;

/** Those with a folder in `dev/n8n/`, or the one of `npm run test:n8n`. */
export const n8nVersions: N8nVersion[] = tried === undefined ? pinned : [describeVersion(tried)];

/** Those of `npm run test:versions`. */
export const versionsToTest = n8nVersions.filter(
	({ version }) => version === tried || testedVersions.includes(version),
);
