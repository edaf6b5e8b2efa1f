import { call, follow, showUnlessOutdated } from './api.mjs';
import { byId, setUpCopyButton } from './dom.mjs';
import { setUpKeys, showKeys, showScopes } from './keys.mjs';
import { setUpSettings, showSettings } from './settings.mjs';
import { catchUp, showCall } from './usage.mjs';
import { setUpWallets, showWallets } from './wallets.mjs';

byId('base-url').textContent = location.origin;
setUpCopyButton('base-url-copy', 'base-url');
setUpWallets();
setUpKeys();

const options = await call('GET', '/options');
setUpSettings(await call('GET', '/settings'), options.settings);

/** @param {import('../../settings.mjs').Settings} settings */
async function settingsChanged(settings) {
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
