/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import type { Scheduler } from 'fast-check';
import { sleep } from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { keyFor } from './credentials';
import { History, type Call } from './history';
import { Journal } from './journal';
import { batchInterval, type Scene } from './scene';
import { itemIn, sendAudio, sendReply, type Receiver } from './scriptedService';

/** Holds every request until the scheduler releases it, and records what happens. */
export class Stage implements Receiver {
	readonly history: History;

	readonly journal: Journal;

	/** Grows with everything that happens. */
	activity = 0;

	/** Something waits for a timer of a few milliseconds. */
	hasTimers = false;

	cancel: () => void = () => {};

	private readonly inProgress = new Set<Call>();

	private readonly opened: number[] = [];

	constructor(
		private readonly scene: Scene,
		private readonly scheduler: Scheduler,
	) {
		const credentials = scene.items.map(({ credential }, item) => [
			{ kind: credential, key: keyFor(credential, item, 0), step: 0 },
		]);
		this.history = new History(scene, credentials);
		this.journal = new Journal(this.history);
	}

	touch(): void {
		this.activity++;
	}

	touchTimers(): void {
		this.activity++;
		this.hasTimers = true;
	}

	/** What happens in addition to openings and replies. */
	scheduleEvents(): void {
		const { isCancelled, batchSize, items } = this.scene;
		const { history } = this;
		if (isCancelled) {
			this.schedule('cancel', () => {
				if (history.output !== undefined) return;
				history.cancelled = { step: history.step, isAlone: this.journal.isAlone() };
				this.cancel();
			});
		}
		// The credential of an item with audio is edited while the audio is being opened.
		for (const [index, { input }] of items.entries()) {
			if (input !== 'audio') this.scheduleEdits(index);
		}
		const batches = batchSize > 0 ? Math.ceil(items.length / batchSize) : 1;
		for (let batch = 1; batch < batches; batch++) this.scheduleTime(batchInterval);
	}

	private scheduleEdits(item: number): void {
		const { edits, items } = this.scene;
		for (const edit of edits.filter((one) => one.item % items.length === item)) {
			this.schedule(`edit the credential of item ${item}: ${edit.credential}`, () => {
				const versions = this.history.credentials[item] ?? [];
				const key = keyFor(edit.credential, item, versions.length);
				versions.push({ kind: edit.credential, key, step: this.history.step });
			});
		}
	}

	receiveOpening(item: number, response: ServerResponse): void {
		this.touch();
		const number = (this.opened[item] = (this.opened[item] ?? -1) + 1);
		const opening = this.scene.items[item]?.openings[number] ?? 'opens';
		if (number === 0) this.scheduleEdits(item);
		const inTry = this.history.try;
		this.schedule(`audio of item ${item}: ${opening}`, () => {
			if (response.closed) return;
			if (['missing', 'web page', 'reset'].includes(opening)) this.journal.fail(item, inTry, false);
			const sendRest = sendAudio(response, opening, item);
			if (sendRest === undefined) return;
			this.schedule(`rest of the audio of item ${item}: ${opening}`, () => {
				if (response.closed) return;
				if (opening === 'breaks') this.journal.breakAudio(item, inTry);
				sendRest();
			});
		});
	}

	receiveCall(request: IncomingMessage, response: ServerResponse): void {
		const { history } = this;
		this.touch();
		const call: Call = {
			item: -1,
			key: String(request.headers['x-api-key']),
			try: history.try,
			step: history.step,
			time: Date.now(),
			isLate: this.journal.isLate(),
			inProgress: this.inProgress.size + 1,
			isComplete: false,
			reply: undefined,
		};
		history.calls.push(call);
		this.inProgress.add(call);
		let text = '';
		request.on('data', (chunk: Buffer) => {
			this.touch();
			text += chunk.toString('latin1');
			call.item = itemIn(text);
		});
		request.on('end', () => {
			this.touch();
			call.isComplete = true;
			const number = history.callsOf(call.item).indexOf(call);
			const item = this.scene.items[call.item];
			const reply = item?.replies[number] ?? '200';
			this.schedule(`reply to item ${call.item}: ${reply}`, () => {
				if (response.closed) return;
				this.expectRepetition(this.journal.reply(call, reply));
				const sendBody = sendReply(response, reply, call, item?.hasSlowBodies === true);
				if (sendBody === undefined) this.end(call);
				else {
					this.schedule(`body of the reply to item ${call.item}`, () => {
						this.end(call);
						sendBody();
					});
				}
			});
		});
		response.on('close', () => {
			this.touch();
			this.end(call);
		});
	}

	/** The call is not in progress any more. */
	private end(call: Call): void {
		if (this.inProgress.delete(call)) this.touch();
	}

	/** @param wait in ms; undefined if the call is not repeated */
	private expectRepetition(wait: number | undefined): void {
		if (wait === 0) this.touchTimers();
		else if (wait !== undefined && this.scene.waitsForBackOffs) this.scheduleTime(wait);
	}

	private scheduleTime(milliseconds: number): void {
		this.schedule(`${milliseconds} ms pass`, async () => await sleep(milliseconds));
	}

	private schedule(label: string, action: () => void | Promise<void>): void {
		const builder = async () => {
			this.history.step++;
			this.touch();
			await action();
		};
		void this.scheduler.scheduleSequence([{ label, builder }]).task;
	}
}
