import type { INodeProperties } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials.ts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';

type Option = NonNullable<INodeProperties['options']>[number];

/** What saved workflows contain, and what n8n acts on. */
function readContract({ name, default: value, routing, options }: INodeProperties): object {
	return {
		name,
		default: value,
		...(routing ? { routing } : {}),
		...(options ? { options: options.map(readOptionContract) } : {}),
	};
}

function readOptionContract(option: Option): unknown {
	if ('values' in option) return { name: option.name, values: option.values.map(readContract) };
	if (!('value' in option)) return readContract(option);
	return option.routing ? { value: option.value, routing: option.routing } : option.value;
}

/** A review must show every change of these. `npx jest test/package/panels -u` updates the snapshot. */
describe('for saved workflows', () => {
	it('the node keeps its names, defaults and routing', () => {
		const { name, version, properties, requestDefaults } = new VoiceSpeech().description;
		const parameters = properties.map(readContract);
		expect({ name, version, requestDefaults, parameters }).toMatchSnapshot();
	});

	it('the credential keeps its names, its defaults and the request of its test', () => {
		const { name, properties, test } = new VoiceSpeechApi();
		const fields = properties.map(readContract);
		// test/credentials/VoiceSpeechApi.test.mts tests which statuses count as failed.
		const { baseURL, url, method } = test.request;
		expect({ name, fields, test: { baseURL, url, method } }).toMatchSnapshot();
	});
});
