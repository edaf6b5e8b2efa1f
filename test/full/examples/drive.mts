import { createCompletion } from '../../../dev/demo/mockSystems/model.mts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
import { respondWithJson } from '../../support/servers/scriptedServer.mts';
import { describeExample, n8n, runner } from './exampleRunner.mts';
import { createDriveFile, GoogleApps } from './googleApps.mts';

type Row = Record<string, string>;

/** People put files into a folder of Google Drive; a stand-in of Google receives the rows. */
describeExample('drive-recordings-to-sheet', (example) => {
	const folder = '1Tx9WHbA3wBpPB4C_HcoZDH9WZFWYxAMU';
	const text = 'We open on Monday. Ada orders {chairs}.';
	const call = 'speech-to-text';
	let google: GoogleApps;

	const publish = async () => {
		const sheetLink = `https://docs.google.com/spreadsheets/d/${google.spreadsheetId}/edit#gid=0`;
		const drive = { type: 'googleDriveOAuth2Api', data: google.credential };
		const credentials = [
			{ nodeType: 'googleDriveTrigger', ...drive },
			{ nodeType: 'googleDrive', ...drive },
			{ nodeType: 'googleSheets', type: 'googleSheetsOAuth2Api', data: google.credential },
			runner.modelCredential,
		];
		const value = `https://drive.google.com/drive/folders/${folder}`;
		const folderToWatch = { __rl: true, mode: 'url', value };
		const changes = { 'New Recording': { parameters: { folderToWatch } } };
		await runner.publish(example, { sheetLink, model: 'scripted' }, credentials, changes);
	};

	/** The rows below the heading, by the names of the columns. */
	const listRows = (): Row[] => {
		const [heading = [], ...rows] = google.rows;
		return rows.map((row) =>
			Object.fromEntries(heading.map((name, index) => [name, row[index] ?? ''])),
		);
	};

	/** Publishes it again, so that the trigger asks for newer files now, and not only once a minute. */
	async function publishAgain() {
		const { rest, workflows } = runner.demo;
		const path = `/workflows/${workflows[example]!.id}/deactivate`;
		// Older versions of n8n do not have this path, and let the trigger ask whenever a workflow is published.
		await rest.call('POST', path, {}).catch(() => undefined);
		await publish();
	}

	it('each recording becomes a row and is paid once: new ones at once, older ones by hand', async () => {
		google = new GoogleApps(runner.appProxy, '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms');
		await runner.changeSettings({ ttsEngine: 'tones' });
		const content = await runner.speak(text);
		const longText = `=1+1 ${'word '.repeat(10_000)}end`;
		const answer = createCompletion('Opening on Monday.\n---\nAda: order chairs');
		runner.model.server.respond = (request, response, index) => {
			const respond = request.body.includes('=1+1')
				? respondWithJson({ error: { message: 'No model' } }, 400)
				: respondWithJson(answer);
			respond(request, response, index);
		};
		// They seem to come later than the workflow is published again.
		const created = new Date(Date.now() + 600_000).toISOString();
		const createFile = (name: string, file: Buffer, type = 'audio/wav', time = created) =>
			createDriveFile(folder, name, type, file, time);
		const monday = createFile('Monday.wav', content);
		const long = createFile('long.wav', await runner.speak(longText));
		const gone =
			n8n.reportsFailedDownloads === true
				? [{ ...createFile('gone.wav', Buffer.from('gone')), isGone: true }]
				: [];
		await publish();

		const news = await runner.startAndWait(example, async () => {
			google.files.push(
				monday,
				createFile('Zoom.mp4', readAudioFile('with-video.mp4'), 'video/mp4'),
				long,
				createFile('broken.wav', Buffer.from('no audio at all')),
				...gone,
				createFile('notes.pdf', Buffer.from('%PDF-1.7'), 'application/pdf'),
				createDriveFile('another-folder', 'other.wav', 'audio/wav', content, created),
			);
			await publishAgain();
		});
		expect(news.paid).toEqual([call, call, call]);
		const row = {
			id: monday.id,
			recording: 'Monday.wav',
			link: monday.webViewLink,
			created,
			summary: 'Opening on Monday.',
			todos: 'Ada: order chairs',
			transcript: text,
			transcript2: '',
			transcript3: '',
			problem: '',
		};
		expect(google.rows[0]).toEqual(Object.keys(row));
		const rows = Object.fromEntries(listRows().map((one) => [one.recording, one]));
		expect(rows).toMatchObject({
			'Monday.wav': row,
			'Zoom.mp4': { problem: '' },
			'long.wav': { problem: expect.stringMatching(/^No summary: ./) as string },
			'broken.wav': { problem: expect.stringMatching(/^No transcript: .*not audio/) as string },
		});
		expect(google.rows).toHaveLength(1 + 4 + gone.length);
		for (const { name } of gone) expect(rows[name]!.problem).toMatch(/^No transcript: ./);
		// A cell has no more than 50,000 characters. What looks like a formula stays a text.
		const { transcript, transcript2, transcript3 } = rows['long.wav']!;
		expect([transcript, transcript2, transcript3].join('')).toBe(longText);
		expect(google.valueInputOptions).toEqual(new Set(['RAW']));

		// n8n asks with a precision of seconds, so it may get a file again that was uploaded in the same second.
		const written = google.rows;
		google.rows = [];
		expect((await runner.startAndWait(example, publishAgain)).paid).toEqual([]);
		expect(google.rows).toEqual([]);

		// "Execute workflow" takes the files that were there before the workflow was published.
		google.rows = written;
		const time = '2026-01-05T10:00:00.000Z';
		google.files.unshift(
			createFile('one.wav', content, 'audio/wav', time),
			createFile('two.wav', content, 'audio/wav', time),
		);
		const byHand = await runner.run(example, 'Files Already There', { mostFiles: 1 });
		expect(byHand.paid).toEqual([call]);
		expect(listRows().slice(4 + gone.length)).toMatchObject([
			{ recording: 'two.wav', transcript: text },
		]);
		expect(runner.readLastPrompt()).toEqual([expect.any(String), text]);
	});
});
