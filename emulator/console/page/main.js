import { call, follow } from './api.js';
import { byId, wireCopyButtons } from './dom.js';
import { setUpKeys, showKeys } from './keys.js';
import { setUpSettings, showSettings } from './settings.js';
import { catchUp, showCall } from './usage.js';
import { setUpWallets, showWallets } from './wallets.js';

byId('base-url').textContent = location.origin;
wireCopyButtons();
setUpWallets();

const [options, settings] = await Promise.all([call('GET', '/options'), call('GET', '/settings')]);
setUpKeys(options.scopes);
setUpSettings(settings, options.settings);

/** Reads everything that may have changed while nothing was followed. */
async function refresh() {
	showWallets(await call('GET', '/wallets'));
	showKeys(await call('GET', '/keys'));
	showSettings(await call('GET', '/settings'));
	await catchUp();
}

await refresh();
follow(
	{ wallets: showWallets, keys: showKeys, usage: showCall, settings: showSettings },
	(open) => {
		byId('connection').textContent = open
			? 'Connected, up to date'
			: 'Connection lost, trying again…';
		if (open) void refresh();
	},
);
