import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { createVoiceNode } from '../../support/flow.mts';
import { getDetailsParameters, splitParameters } from '../../support/nodeParameters.mts';
import { createWav } from '../../support/media/recordings.mts';
import type { Instance } from '../instance.mts';
import { createCheck } from '../report.mts';

/** Operations that make no call, in a node that has no credential. */
export function testRecording(version: string, instance: () => Instance): void {
	const check = createCheck(version);
	const runOn = async (recordings: Buffer[], parameters: Record<string, unknown>) => {
		const { run, service, demo } = instance();
		const folder = path.join(demo.files, randomUUID());
		await mkdir(folder);
		for (const [index, bytes] of recordings.entries()) {
			await writeFile(path.join(folder, `${index}.wav`), bytes);
		}
		const node = createVoiceNode(parameters, { credentials: {} });
		const { error, items } = await run({ from: { files: `${folder}/*.wav` }, nodes: [node] });
		expect(error).toBeUndefined();
		expect(service.requestCount).toBe(0);
		return items('Voice');
	};

	check('Get Details of 200 recordings, without a credential', async () => {
		const seconds = Array.from({ length: 200 }, (_, index) => (index + 1) / 100);
		const items = await runOn(
			seconds.map((one) => createWav(one)),
			getDetailsParameters,
		);
		const durations = items.map(({ json }) => json.durationSeconds as number);
		expect(durations.sort((a, b) => a - b)).toEqual(seconds);
	});

	check('Split of a recording, without a credential', async () => {
		const items = await runOn([createWav(150)], {
			...splitParameters,
			partMinutes: 1,
			options: { exactCuts: true },
		});
		const parts = items.map(({ json }) => [json.fileName, json.part, json.parts]);
		expect(parts).toEqual([1, 2, 3].map((part) => [`0-0${part}.wav`, part, 3]));
		const durations = items.map(({ json }) => json.durationSeconds as number);
		expect(durations.reduce((sum, one) => sum + one)).toBeCloseTo(150, 2);
	});
}
