import { version } from 'n8n-core/package.json';

import { VERSIONS, type HostVersion } from '../hosts/versions';

function find(): HostVersion {
	const found = VERSIONS.find(({ core }) => core === version);
	if (!found) throw new Error(`No n8n in test/hosts/versions.ts has n8n-core ${version}`);
	return found;
}

/** The n8n whose engine runs the tests: the newest of `dev/n8n/`, or each of the others in `npm run test:engines`. */
export const n8n = find();
