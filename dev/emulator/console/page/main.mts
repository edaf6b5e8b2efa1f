import { call, follow, showUnlessOutdated } from './api.mts';
import { byId, setUpCopyButton } from './dom.mts';
import { setUpKeys, showKeys, showScopes } from './keys.mts';
import { setUpSettings, showSettings } from './settings.mts';
import { catchUp, showCall } from './usage.mts';
import { setUpWallets, showWallets } from './wallets.mts';
import type { Settings } from '../../settings.mts';

byId('base-url').textContent = location.origin;
setUpCopyButton('base-url-copy', 'base-url');
setUpWallets();
setUpKeys();

const options = await call('GET', '/options');
setUpSettings(await call('GET', '/settings'), options.settings);

async function settingsChanged(settings: Settings) {
	showSettings(settings);
	// A setting can add a scope.
	showScopes((await call('GET', '/options')).scopes);
}

/** Reads everything that may have changed while the connection was closed. */
async function refresh() {
	await showUnlessOutdated('wallets', call('GET', '/wallets'), showWallets);
	await showUnlessOutdated('keys', call('GET', '/keys'), showKeys);
	await showUnlessOutdated('settings', call('GET', '/settings'), settingsChanged);
	await catchUp();
}

await refresh();
follow(
	{
		wallets: showWallets,
		keys: showKeys,
		usage: showCall,
		settings: (settings) => void settingsChanged(settings),
	},
	(isOpen) => {
		byId('connection').textContent = isOpen
			? 'Connected, up to date'
			: 'Connection lost, trying again…';
		if (isOpen) void refresh();
	},
);
