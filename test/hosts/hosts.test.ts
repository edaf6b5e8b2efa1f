import { agent } from './checks/agent';
import { examples } from './checks/examples';
import { failures } from './checks/failures';
import { combinedFiles, files } from './checks/files';
import { importing } from './checks/importing';
import { loading } from './checks/loading';
import { requests } from './checks/requests';
import { openStage, type Instance, type Stage } from './instance';
import { compatibilityTable } from './report';
import { hostVersions } from '../support/n8nVersions';

/** The packed package in the real n8n of each version, one at a time. */
let stage: Stage;

beforeAll(async () => {
	stage = await openStage();
});

afterAll(async () => {
	await stage?.close();
});

describe.each(hostVersions)('n8n $version', (host) => {
	const { version, binaryModes, combined } = host;

	importing(version);

	describe.each(binaryModes)('files $name', ({ mode, name }) => {
		let instance: Instance;
		const current = () => instance;

		beforeAll(async () => {
			instance = await stage.start(version, mode);
		}, 900_000);

		afterAll(async () => {
			await instance?.demo.stop();
		});

		if (mode === binaryModes[0]?.mode) {
			loading(version, current);
			examples(version, current);
			failures(version, current);
			requests(version, current);
			agent(version, current);
		}
		files(name, version, current);
		if (combined) combinedFiles(name, version, current);
		else if (mode === 'filesystem') combinedFiles('no such setting', version, current);
	});
});

// The table needs the results of all versions.
if (process.env.TEST_N8N === undefined) {
	it('docs/development/compatibility.md shows what the versions do (UPDATE_DOCS=1 writes it)', async () => {
		const { says, shouldSay } = compatibilityTable();
		expect(says).toBe(shouldSay);
	});
}
