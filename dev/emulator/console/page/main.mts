import type { Events } from '../../state.mts';
import { getById, setUpCopyButton } from './dom.mts';
import { setUpKeys, showKeys, showScopes } from './keys.mts';
import { showSettings } from './settings.mts';
import { addCall, showUsage } from './usage.mts';
import { setUpWallets, showWallets } from './wallets.mts';

/** What shows each event, by its name. The first events have the entire state, also after a lost connection. */
const listeners: { [Name in keyof Events]: (value: Events[Name]) => void } = {
	settings(controls) {
		showSettings(controls);
		// A setting can add a scope.
		showScopes(controls.scopes);
	},
	wallets: showWallets,
	keys: showKeys,
	usage: showUsage,
	call: addCall,
};

function showConnection(text: string) {
	getById('connection').textContent = text;
}

getById('base-url').textContent = location.origin;
setUpCopyButton('base-url-copy', 'base-url');
setUpWallets();
setUpKeys();

const events = new EventSource('/console/api/events');
for (const [name, listener] of Object.entries(listeners)) {
	events.addEventListener(name, (event) => listener(JSON.parse(event.data)));
}
events.addEventListener('open', () => showConnection('Connected, up to date'));
events.addEventListener('error', () => showConnection('Connection lost, trying again…'));
