import { versionsToTest } from '../support/n8nVersions.mts';
import { testAgent } from './checks/agent.mts';
import { testExamples } from './checks/examples.mts';
import { testCombinedFiles, testFiles, testFormats } from './checks/files.mts';
import { testImporting } from './checks/importing.mts';
import { testLinkExpiry, testLinks } from './checks/links.mts';
import { testLoading } from './checks/loading.mts';
import { testRequests } from './checks/requests.mts';
import { openLauncher, type Instance, type N8nLauncher } from './instance.mts';
import { compareCompatibilityTable, updateCompatibilityTable } from './report.mts';

/** Starts the real n8n of each version, with the packed package, one at a time. */
let launcher: N8nLauncher;

beforeAll(async () => {
	launcher = await openLauncher();
});

afterAll(async () => {
	await launcher?.close();
});

describe.each(versionsToTest)('n8n $version', (n8n) => {
	const { version, binaryModes, hasCombinedBinaryMode } = n8n;

	testImporting(version);

	describe.each(binaryModes)('files $name', ({ mode, name }) => {
		const isFirst = mode === binaryModes[0]?.mode;
		let instance: Instance;
		const getInstance = () => instance;

		beforeAll(async () => {
			instance = await launcher.start(version, mode, isFirst);
		}, 900_000);

		beforeEach(async () => await instance.reset());

		afterAll(async () => {
			await instance?.demo.stop();
		});

		if (isFirst) {
			testLoading(version, getInstance);
			testExamples(version, getInstance);
			testRequests(version, getInstance);
			testAgent(version, getInstance);
			testFormats(version, getInstance);
			testLinkExpiry(version, getInstance);
			const outcome = hasCombinedBinaryMode ? 'yes' : 'no such setting';
			testCombinedFiles(outcome, version, getInstance);
		}
		testFiles(name, version, getInstance);
		// n8n creates no links to files in memory.
		if (mode !== 'default') testLinks(name, version, getInstance);
	});
});

// The table needs all versions.
if (process.env.TEST_N8N === undefined) {
	if (process.env.UPDATE_DOCS) {
		afterAll(updateCompatibilityTable);
	} else {
		it('docs/development/compatibility.md shows what the checks prove (UPDATE_DOCS=1 writes it)', () => {
			const { says, shouldSay } = compareCompatibilityTable();
			expect(says).toBe(shouldSay);
		});
	}
}
