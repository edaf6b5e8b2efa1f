import { readAudioFile } from '../../support/media/audioFiles.mts';
import { respondWithJson } from '../../support/servers/scriptedServer.mts';
import { describeExample, runner } from './exampleRunner.mts';
import { createDriveFile, GoogleApps } from './googleApps.mts';

type Row = Record<string, string>;

/** People put files into a folder of Google Drive; a stand-in of Google receives the rows. */
describeExample('drive-recordings-to-sheet', (example) => {
	const folder = '1Tx9WHbA3wBpPB4C_HcoZDH9WZFWYxAMU';
	const text = 'We open on Monday. Ada orders {chairs}.';
	let google: GoogleApps;

	beforeAll(async () => {
		google = new GoogleApps(runner.appProxy, '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms');
		await publish();
	});

	beforeEach(() => {
		runner.model.answer = 'Opening on Monday.\n---\nAda: order chairs';
		google.files.length = 0;
		google.rows = [];
	});

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

	/** The problem in each row, by the name of the recording. */
	const listProblems = () =>
		Object.fromEntries(listRows().map(({ recording, problem }) => [recording, problem]));

	/** Publishes it again, so that the trigger asks for newer files now, and not only once a minute. */
	async function publishAgain() {
		const { rest, workflows } = runner.demo;
		const path = `/workflows/${workflows[example]!.id}/deactivate`;
		// Older versions of n8n do not have this path, and let the trigger ask whenever a workflow is published.
		await rest.call('POST', path, {}).catch(() => undefined);
		await publish();
	}

	/** A file that was in the folder before the workflow was published. */
	const createOld = (name: string, content: Buffer) =>
		createDriveFile(folder, name, 'audio/wav', content, '2026-01-05T10:00:00.000Z');

	/** Clicks "Execute workflow" for the files that are already there. */
	const runForFilesAlreadyThere = async (mostFiles = 20) =>
		await runner.run(example, 'Files Already There', { mostFiles });

	it('a new recording becomes a row, also in an empty sheet, and is paid once if it is reported twice', async () => {
		// It seems to come later than the workflow is published again.
		const created = new Date(Date.now() + 600_000).toISOString();
		const content = await runner.speak(text);
		const file = createDriveFile(folder, 'Monday.wav', 'audio/wav', content, created);
		const { paid } = await runner.startAndWait(example, async () => {
			google.files.push(file);
			await publishAgain();
		});
		expect(paid).toEqual(['speech-to-text']);
		const row = {
			id: file.id,
			recording: 'Monday.wav',
			link: file.webViewLink,
			created,
			summary: 'Opening on Monday.',
			todos: 'Ada: order chairs',
			transcript: text,
			transcript2: '',
			transcript3: '',
			problem: '',
		};
		expect(google.rows[0]).toEqual(Object.keys(row));
		expect(listRows()).toEqual([row]);
		expect(runner.readLastPrompt()).toEqual([expect.any(String), text]);

		// n8n asks with a precision of seconds, so it may get a file again that was uploaded in the same second.
		google.rows = [];
		expect((await runner.startAndWait(example, publishAgain)).paid).toEqual([]);
		expect(listRows()).toEqual([]);
	});

	it('audio and videos that are already there are transcribed once, at most as many as allowed', async () => {
		const content = await runner.speak(text);
		google.files.push(
			createDriveFile(folder, 'notes.pdf', 'application/pdf', Buffer.from('%PDF-1.7')),
			createDriveFile('another-folder', 'other.wav', 'audio/wav', content),
			createDriveFile(folder, 'Zoom.mp4', 'video/mp4', readAudioFile('with-video.mp4')),
			createOld('one.wav', content),
			createOld('two.wav', content),
		);
		const results = [];
		for (let run = 0; run < 3; run += 1) {
			const { paid } = await runForFilesAlreadyThere(2);
			results.push(`${paid.length} paid, ${listRows().length} rows`);
		}
		expect(results).toEqual(['2 paid, 2 rows', '1 paid, 3 rows', '0 paid, 3 rows']);
		expect(listProblems()).toEqual({ 'Zoom.mp4': '', 'one.wav': '', 'two.wav': '' });
	});

	it('a file that fails gets a row with the reason, and does not stop the others', async () => {
		google.files.push(
			createOld('good.wav', await runner.speak(text)),
			createOld('broken.wav', Buffer.from('no audio at all')),
			{ ...createOld('gone.wav', Buffer.from('gone')), isGone: true },
		);
		expect((await runForFilesAlreadyThere()).paid).toEqual(['speech-to-text']);
		expect(listProblems()).toEqual({
			'good.wav': '',
			'broken.wav': expect.stringMatching(/^No transcript: .*not audio/),
			'gone.wav': expect.stringMatching(/^No transcript: ./),
		});
	});

	it('a transcript is not lost without a summary, nor if it is long or looks like a formula', async () => {
		await runner.changeSettings({ ttsEngine: 'tones' });
		const words = `=1+1 ${'word '.repeat(10_000)}end`;
		google.files.push(createOld('long.wav', await runner.speak(words)));
		runner.model.server.respond = respondWithJson({ error: { message: 'No model' } }, 400);
		await runForFilesAlreadyThere();
		const [row] = listRows() as [Row];
		expect([row.transcript, row.transcript2, row.transcript3].join('')).toBe(words);
		expect(row.problem).toMatch(/^No summary: ./);
		expect(google.valueInputOptions).toEqual(new Set(['RAW']));
	});
});
