import { installHost } from '../../dev/n8n/install.mts';
import config from './jest.config.cjs';

/** Installs each n8n whose engine the tests run on, unless it is there. */
export default async function installHosts() {
	const projects = config.projects as Array<{ displayName: string }>;
	for (const { displayName } of projects) await installHost(displayName.replace('n8n-', ''));
}
