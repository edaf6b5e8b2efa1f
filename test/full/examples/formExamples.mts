import type { Demo } from '../../../dev/demo/startDemo.mts';
import { waitForExecution, type Execution } from '../../../dev/n8n/executions.mts';
import { submitForm, type Ending } from '../../../dev/n8n/forms.mts';
import { DemoEmulator } from '../../support/demoEmulator.mts';

/** The demo, whose forms a visitor fills in. */
export class FormExamples extends DemoEmulator {
	constructor(readonly demo: Demo) {
		super(demo.emulator);
	}

	/**
	 * Fills in an example's form as a visitor does; returns the last page, the execution and what was paid for.
	 *
	 * @param further the values of each further page that asks something
	 */
	async submit(
		form: string,
		values: Parameters<typeof submitForm>[1],
		further?: Array<Record<string, string>>,
	) {
		const { demo } = this;
		const url = `${demo.n8n.url}/form/${form}`;
		const { result, ...costs } = await this.runAndListPaid(
			async () => await submitForm(url, values, 60_000, further),
		);
		const execution = await waitForExecution(demo.rest, result.executionId);
		expectSuccess(execution);
		return { ...result, execution, ...costs };
	}
}

/** Fails with n8n's error. */
export function expectSuccess({ status, error }: Execution): void {
	expect({ status, error }).toEqual({ status: 'success' });
}

/** Addresses, and advice for the person who runs n8n. */
const notForVisitors = /https?:|\/ai\/|\b(credential|wallet|key|scope|debited|option|Settings)\b/i;

/** The visitor reads what is wrong with the file, and what to do; nothing is paid. */
export function expectRefusal(page: Ending & { paid: string[] }, title: string): void {
	expect(page).toMatchObject({ title, paid: [] });
	expect(page.message).toMatch(
		/^The file 'broken\.wav' is not audio: its content is text\.\n\nOpen the form again /,
	);
	expect(page.message).toContain('upload another recording, for example a WAV or MP3 file');
	expect(page.message).not.toMatch(notForVisitors);
}

/**
 * The visitor reads no reason, but the number of the execution, in which the person who runs the form finds it. Another
 * recording would not help, and might cost credits again.
 */
export function expectExecutionNumberWithoutReason(
	page: Ending & { executionId: string },
	title: string,
): void {
	expect(page.title).toBe(title);
	expect(page.message).toContain(
		`tell the person who runs the form this number: ${page.executionId}`,
	);
	expect(page.message).not.toMatch(/Open the form again|Upload/);
	expect(page.message).not.toMatch(notForVisitors);
}
