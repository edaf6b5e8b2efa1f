import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

type Reading = Promise<ICredentialDataDecryptedObject>;

/** By run, and within it by node: an agent runs several tools on its own behalf. */
const readings = new WeakMap<object, Map<string, Reading>>();

/**
 * The credential of a node run. n8n asks its database each time, and thousands of items that ask at once wait for a
 * connection until they are turned away; so a run asks once, as n8n's own routing does for the base URL.
 */
export async function credentialOf(context: IExecuteSingleFunctions): Reading {
	const run = context.getExecuteData();
	const { name } = context.getNode();
	const ofRun = readings.get(run) ?? new Map<string, Reading>();
	readings.set(run, ofRun);
	let reading = ofRun.get(name);
	if (reading === undefined) {
		reading = context.getCredentials('voiceSpeechApi');
		ofRun.set(name, reading);
		// What could not be read is asked for again by the next try.
		reading.catch(() => ofRun.delete(name));
	}
	return await reading;
}
