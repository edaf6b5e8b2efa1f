import { follow } from './api.mts';
import { getById, setUpCopyButton } from './dom.mts';
import { setUpKeys, showKeys, showScopes } from './keys.mts';
import { showSettings } from './settings.mts';
import { addCall, showUsage } from './usage.mts';
import { setUpWallets, showWallets } from './wallets.mts';
import type { SettingControls } from '../../state.mts';

getById('base-url').textContent = location.origin;
setUpCopyButton('base-url-copy', 'base-url');
setUpWallets();
setUpKeys();

follow(
	{
		settings(controls: SettingControls) {
			showSettings(controls);
			// A setting can add a scope.
			showScopes(controls.scopes);
		},
		wallets: showWallets,
		keys: showKeys,
		usage: showUsage,
		call: addCall,
	},
	(isOpen) => {
		getById('connection').textContent = isOpen
			? 'Connected, up to date'
			: 'Connection lost, trying again…';
	},
);
