import './n8nFolder.mts';

import { Container } from '@n8n/di';
import core from 'n8n-core/package.json' with { type: 'json' };
import { BlockList } from 'node:net';

import { n8nVersions, type N8nVersion } from './n8nVersions.mts';

const found = n8nVersions.find(({ coreVersion }) => coreVersion === core.version);
if (found === undefined) {
	throw new Error(`No n8n in test/support/n8nVersions.mts has n8n-core ${core.version}`);
}

/** The n8n whose engine runs the tests: the newest of `dev/n8n/`, or the one that TEST_N8N names. */
export const n8n: N8nVersion = found;

/**
 * Turns n8n's protection against server-side request forgery on for a describe, as N8N_SSRF_PROTECTION_ENABLED does.
 * An n8n without the protection ignores that variable, so nothing changes there.
 *
 * @param allowed an address that is not protected, as N8N_SSRF_ALLOWED_IP_RANGES sets it when n8n is loaded
 */
export function useSsrfProtection(allowed?: string): void {
	if (n8n.ssrfProtection !== true) return;
	let ssrfConfig: { enabled: boolean };
	let ssrfProtection: { allowedIps: BlockList };
	beforeAll(async () => {
		// An n8n without the protection lacks this package, so the import is not static.
		const { OutboundHttp } = await import('@n8n/backend-network');
		({ ssrfConfig, ssrfProtection } = Container.get(OutboundHttp) as never);
	});
	beforeEach(() => {
		ssrfConfig.enabled = true;
		ssrfProtection.allowedIps = new BlockList();
		if (allowed !== undefined) ssrfProtection.allowedIps.addAddress(allowed);
	});
	afterEach(() => {
		ssrfConfig.enabled = false;
	});
}
