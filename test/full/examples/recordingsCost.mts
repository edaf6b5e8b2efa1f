import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { createWav } from '../../support/media/recordings.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** A folder whose recordings are measured before anything is sent. */
describeExample('recordings-cost-preview', (example) => {
	it('makes a row of each file, and sums up those that can be sent, without a credential', async () => {
		const folder = path.join(runner.demo.files, 'to-measure');
		await mkdir(path.join(folder, 'more'), { recursive: true });
		await writeFile(path.join(folder, 'call.wav'), createWav(90, 8_000));
		await writeFile(path.join(folder, 'more', 'long.wav'), createWav(150, 8_000));
		await writeFile(path.join(folder, 'bill.mp3'), '%PDF-1.7');
		// Samples without a header are sent, although the node does not recognize them.
		await writeFile(path.join(folder, 'raw.mp3'), Buffer.alloc(10_000, 0x81));

		const workflow = await runner.readExample(example);
		for (const node of workflow.nodes) expect(node).not.toHaveProperty('credentials');
		const { execution, paid } = await runner.run(example, 'Start', { folder });
		expect(paid).toEqual([]);
		const rows = execution
			.items('Table')
			.map(({ json: { recording, ...columns } }) => [String(recording), columns] as const);
		const notPdf = "The file 'bill.mp3' is not audio: its content is PDF";
		const expected = [
			['bill.mp3', { minutes: null, calls: 0, sentAs: '', sentMegabytes: null, reason: notPdf }],
			['call.wav', { minutes: 1.5, calls: 1, sentAs: 'WAV', sentMegabytes: 1.44, reason: '' }],
			['long.wav', { minutes: 2.5, calls: 1, sentAs: 'WAV', sentMegabytes: 2.4, reason: '' }],
			['raw.mp3', { minutes: null, calls: 1, sentAs: '', sentMegabytes: 0.01, reason: '' }],
			['Total of 4 files', { minutes: 4, calls: 3, sentAs: '', sentMegabytes: 3.85, reason: '' }],
		];
		expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
		expect(rows).toHaveLength(expected.length);
		expect(rows.at(-1)?.[0]).toBe('Total of 4 files');
	});
});
