import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { createWav } from '../../support/media/recordings.mts';
import { runner } from './exampleRunner.mts';

/** A folder whose recordings are measured before anything is sent. */
export function testRecordingsCost(): void {
	const example = 'recordings-cost-preview';

	it('each file becomes a row, with the sums of those that can be sent, without a credential', async () => {
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
		const rows = execution.items('Table').map(({ json }) => json);
		const total = rows.pop();
		const name = ({ recording }: { recording?: unknown }) => String(recording);
		rows.sort((one, other) => name(one).localeCompare(name(other)));
		const sent = { calls: 1, sentAs: 'WAV', reason: '' };
		expect(rows).toEqual([
			{
				recording: 'bill.mp3',
				minutes: null,
				calls: 0,
				sentAs: '',
				sentMegabytes: null,
				reason: "The file 'bill.mp3' is not audio: its content is PDF",
			},
			{ recording: 'call.wav', minutes: 1.5, sentMegabytes: 1.44, ...sent },
			{ recording: 'long.wav', minutes: 2.5, sentMegabytes: 2.4, ...sent },
			{ recording: 'raw.mp3', minutes: null, sentMegabytes: 0.01, ...sent, sentAs: '' },
		]);
		expect(total).toEqual({
			recording: 'Total of 4 files',
			minutes: 4,
			calls: 3,
			sentAs: '',
			sentMegabytes: 3.85,
			reason: '',
		});
	});
}
