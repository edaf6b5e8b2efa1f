import { Container } from '@n8n/di';
import { version } from 'n8n-core/package.json';

import { VERSIONS, type HostVersion } from '../hosts/versions';

function find(): HostVersion {
	const found = VERSIONS.find(({ core }) => core === version);
	if (!found) throw new Error(`No n8n in test/hosts/versions.ts has n8n-core ${version}`);
	return found;
}

/** The n8n whose engine runs the tests: the newest of `dev/n8n/`, or each of the others in `npm run test:engines`. */
export const n8n = find();

/** Turns n8n's protection against server-side request forgery on, as N8N_SSRF_PROTECTION_ENABLED does, for a describe. */
export function useProtection(): void {
	let ssrfConfig: { enabled: boolean };
	beforeAll(async () => {
		// Not a static import: an n8n without the protection lacks this package.
		const { OutboundHttp } = await import('@n8n/backend-network');
		({ ssrfConfig } = Container.get(OutboundHttp) as unknown as { ssrfConfig: typeof ssrfConfig });
	});
	beforeEach(() => (ssrfConfig.enabled = true));
	afterEach(() => (ssrfConfig.enabled = false));
}
