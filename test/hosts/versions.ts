/** An n8n that the package is tried in, and what this n8n has. */
export interface HostVersion {
	version: string;
	/** Where n8n keeps files: as n8n calls it, and as people do. The first one runs all checks. */
	binaryModes: Array<{ mode: 'filesystem' | 'default' | 'database'; name: string }>;
	/** Its HTTP client leaves a call open that took longer than its own time limit. */
	leavesCallsOpen?: boolean;
	/** Its workflows know the setting `binaryMode: combined`. */
	combined: boolean;
}

const disk = { mode: 'filesystem', name: 'on disk' } as const;
const memory = { mode: 'default', name: 'in memory' } as const;
const database = { mode: 'database', name: 'in the database' } as const;

/** Each has its folder in `hosts/`. */
export const VERSIONS: HostVersion[] = [
	{ version: '1.123.81', binaryModes: [disk, memory], combined: false },
	{ version: '2.0.3', binaryModes: [disk, database], combined: false, leavesCallsOpen: true },
	{ version: '2.41.1', binaryModes: [disk, database], combined: true },
];
