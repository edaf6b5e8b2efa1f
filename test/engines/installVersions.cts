import { installN8n } from '../../dev/n8n/install.mts';
import config from './jest.config.cjs';

/** Installs each n8n whose engine the tests run on, unless it is there. */
export default async function installVersions() {
	const projects = config.projects as Array<{ displayName: string }>;
	for (const { displayName } of projects) await installN8n(displayName.replace('n8n-', ''));
}
