import type { Scheduler } from 'fast-check';
import { sleep } from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { createWavHeader } from '../../support/media/recordings.mts';
import type { PendingWork } from './pendingWork.mts';
import { RunRecord, type Action, type Call } from './record.mts';
import {
	batchInterval,
	describeResponse,
	findRetryDelay,
	isPaid,
	refusesKey,
	success,
	type SimulatedResponse,
	type Scenario,
} from './scenario.mts';

/** A text that names the item, for the texts and the audio that are sent. */
export const createMarker = (item: number) => `item-${item};`;

function createItemAudio(item: number): Buffer {
	const samples = Buffer.from(createMarker(item));
	return Buffer.concat([createWavHeader(samples.length, 16_000, 1), samples]);
}

/** A compression that n8n does not know. */
const unusableEncoding = 'dcb';

/**
 * Sends the headers of a response, or ends the connection.
 *
 * @returns whether the body is still to be sent
 */
function startResponse(
	outgoing: ServerResponse,
	response: SimulatedResponse,
	body: string,
): boolean {
	if (response.kind === 'reset') {
		outgoing.destroy();
		return false;
	}
	const type = { 'Content-Type': 'application/json' };
	if (response.kind === 'cut') {
		outgoing.writeHead(200, { ...type, 'Content-Length': body.length * 2 });
		outgoing.write(body, () => outgoing.destroy());
		return false;
	}
	if (response.kind === 'unusable') outgoing.setHeader('Content-Encoding', unusableEncoding);
	const { status, retryAfter } =
		response.kind === 'status' ? response : { status: 200, retryAfter: undefined };
	if (retryAfter !== undefined) outgoing.setHeader('Retry-After', retryAfter);
	outgoing.writeHead(status, type).flushHeaders();
	return true;
}

/** Longest time in ms that a timer of Node ends after its delay while the process is idle. */
const timerDelayMs = 5;

/** The service and the server of the audio. Holds every request until the scheduler releases it. */
export class Simulation {
	readonly record: RunRecord;

	/** Grows with every event. */
	activity = 0;

	cancel: () => void = () => {};

	private readonly inProgress = new Set<Call>();

	private readonly opened: number[] = [];

	/** Back-offs whose end the node may still have to notice. */
	private openBackOffs: Array<{ seconds: number; latestEnd: number | undefined }> = [];

	constructor(
		private readonly scenario: Scenario,
		private readonly scheduler: Scheduler,
		readonly pendingWork: PendingWork,
	) {
		const keys = scenario.items.map(({ key }) => `eak_test_${key}`);
		this.record = new RunRecord(scenario, keys);
	}

	/** Whether a call may still come that a back-off delayed. */
	get isPaused(): boolean {
		return this.openBackOffs.length > 0;
	}

	/**
	 * Everything that was sent has arrived, and nothing has happened since `idleSince` (in ms). Only this shows that the node
	 * has noticed the end of a back-off. The time alone does not, because a busy machine may stop the process for seconds.
	 */
	onIdle(idleSince: number): void {
		for (const backOff of this.openBackOffs) {
			// The node has received the response by now, so its wait has begun.
			backOff.latestEnd ??= performance.now() + backOff.seconds * 1000;
		}
		this.openBackOffs = this.openBackOffs.filter(
			({ latestEnd = Infinity }) => latestEnd + timerDelayMs >= idleSince,
		);
	}

	touch(): void {
		this.activity++;
	}

	/** Schedules events that no request causes. */
	scheduleEvents(): void {
		const { isCanceled, batchSize, items } = this.scenario;
		const { record } = this;
		if (isCanceled) {
			this.schedule('cancel', () => {
				if (record.output !== undefined) return;
				record.canceled = this.createAction(record.try);
				this.cancel();
			});
		}
		const batches = batchSize > 0 ? Math.ceil(items.length / batchSize) : 1;
		for (let batch = 1; batch < batches; batch++) {
			this.schedule(`${batchInterval} ms pass`, async () => await sleep(batchInterval));
		}
	}

	receiveOpening(item: number, outgoing: ServerResponse): void {
		this.touch();
		const earlier = this.opened[item] ?? 0;
		this.opened[item] = earlier + 1;
		const isMissing = this.scenario.items[item]?.missing[earlier] ?? false;
		const inTry = this.record.try;
		this.schedule(`audio of item ${item}${isMissing ? ', which is missing' : ''}`, () => {
			if (outgoing.closed) return;
			if (isMissing) {
				this.fail(item, inTry, false);
				outgoing.writeHead(404).end();
				return;
			}
			outgoing.writeHead(200, { 'Content-Type': 'audio/wav' }).end(createItemAudio(item));
		});
	}

	receiveCall(request: IncomingMessage, outgoing: ServerResponse): void {
		const { record } = this;
		this.touch();
		const call: Call = {
			item: -1,
			key: String(request.headers['x-api-key']),
			try: record.try,
			step: record.step,
			time: performance.now(),
			isLate: this.isLate(),
			inProgress: this.inProgress.size + 1,
			response: undefined,
		};
		record.calls.push(call);
		this.inProgress.add(call);
		let text = '';
		request.on('data', (chunk: Buffer) => {
			this.touch();
			text += chunk.toString('latin1');
			call.item = Number(/item-(\d+);/.exec(text)?.[1] ?? -1);
		});
		request.on('end', () => {
			this.touch();
			this.scheduleResponse(call, outgoing);
		});
		outgoing.on('close', () => {
			this.touch();
			this.end(call);
		});
	}

	private scheduleResponse(call: Call, outgoing: ServerResponse): void {
		const { responses, hasSlowBodies = false } = this.scenario.items[call.item] ?? {};
		const response = responses?.[this.record.listCalls(call.item).indexOf(call)] ?? success;
		this.schedule(`response to item ${call.item}: ${describeResponse(response)}`, () => {
			if (outgoing.closed) return;
			this.recordResponse(call, response);
			const body = JSON.stringify({ item: call.item, message: describeResponse(response) });
			const hasBody = startResponse(outgoing, response, body);
			const finish = () => {
				this.end(call);
				if (hasBody) outgoing.end(body);
				// Only the body shows that it cannot be used.
				if (response.kind === 'unusable') this.fail(call.item, call.try, false);
			};
			if (hasBody && hasSlowBodies) {
				this.schedule(`body of the response to item ${call.item}`, finish);
			} else {
				finish();
			}
		});
	}

	private recordResponse(call: Call, response: SimulatedResponse): void {
		call.response = response;
		if (isPaid(response)) return;
		const { record, scenario } = this;
		const retries = record.listCalls(call.item, call.try).indexOf(call);
		const seconds = findRetryDelay(response, retries, scenario);
		if (seconds === undefined) {
			this.fail(call.item, call.try, refusesKey(response));
			return;
		}
		if (seconds === 0) return;
		const until = performance.now() + seconds * 1000;
		record.backOffs.push({ ...this.createAction(call.try), until });
		this.openBackOffs.push({ seconds, latestEnd: undefined });
	}

	private fail(item: number, inTry: number, refusesItsKey: boolean): void {
		const { record } = this;
		const refusedKey = refusesItsKey ? record.keys[item] : undefined;
		record.failures.push({ ...this.createAction(inTry), item, refusedKey });
	}

	private createAction(inTry: number): Action {
		return { try: inTry, step: this.record.step, isAlone: this.isAlone() };
	}

	/** Whether no timer can start a call at the same time as this action. */
	private isAlone(): boolean {
		return this.scenario.batchSize === 0 && !this.isPaused;
	}

	private isLate(): boolean {
		const { end } = this.record.tries.at(-1) ?? {};
		return end !== undefined && (end < this.record.step || this.isAlone());
	}

	private end(call: Call): void {
		if (this.inProgress.delete(call)) this.touch();
	}

	private schedule(label: string, action: () => void | Promise<void>): void {
		const builder = async () => {
			this.record.step++;
			this.touch();
			await action();
		};
		void this.scheduler.scheduleSequence([{ label, builder }]).task;
	}
}
