import { versionsToTest } from '../support/n8nVersions.mts';
import { testAgent } from './checks/agent.mts';
import { testExamples } from './checks/examples.mts';
import { combined, plain, testFormats, testRoundTrip, testSeveralFiles } from './checks/files.mts';
import { testImporting } from './checks/importing.mts';
import { testLinkExpiry, testLinks } from './checks/links.mts';
import { testLoading } from './checks/loading.mts';
import { testRequests } from './checks/requests.mts';
import { elsewhere, instance, service, startInstance } from './instance.mts';
import { compareCompatibilityTable, createCheck } from './report.mts';

/** Starts the real n8n of each version, with the packed package, one at a time. */
describe.each(versionsToTest)('n8n $version', (n8n) => {
	const { version, binaryModes, hasCombinedBinaryMode } = n8n;

	testImporting(version);

	describe.each(binaryModes)('files $name', ({ mode, name }) => {
		const isFirst = mode === binaryModes[0]?.mode;

		beforeAll(async () => await startInstance(version, mode, isFirst), 900_000);
		afterEach(async () => {
			await service.endRequests();
			await elsewhere.endRequests();
		});
		afterAll(async () => await instance?.demo.stop());

		if (isFirst) {
			const check = createCheck(version);
			testLoading(check);
			testExamples(check);
			testRequests(check);
			testAgent(version);
			testFormats(check);
			testSeveralFiles(plain, check);
			testLinkExpiry(check);
			const combinedCheck = createCheck(version, hasCombinedBinaryMode ? 'yes' : 'no such setting');
			testRoundTrip(combined, combinedCheck);
			testSeveralFiles(combined, combinedCheck);
		}
		testRoundTrip(plain, createCheck(version, name));
		// n8n creates no links to files in memory.
		if (mode !== 'default') testLinks(createCheck(version, name));
	});
});

// The table needs all versions.
if (process.env.TEST_N8N === undefined) {
	it('docs/development/compatibility.md lists what the checks prove', compareCompatibilityTable);
}
