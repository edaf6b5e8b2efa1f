import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import {
	Engine,
	type BinaryMode,
	type CredentialOfItem,
	type RunInput,
	type RunOutput,
} from './engine';
import { json, Recorder } from './recorder';
import { wav } from './recordings';

/** A file of an item, before n8n stores it. */
export interface TestFile {
	bytes: Buffer;
	fileName?: string;
	mimeType: string;
}

export const apiKey = 'eak_test_wire';

export const recording = wav();

export const callWav: TestFile = { bytes: recording, fileName: 'call.wav', mimeType: 'audio/wav' };

export const speechToText = { resource: 'speech', operation: 'speechToText' };

export const textToSpeech = { resource: 'speech', operation: 'textToSpeech' };

/** Text to speech with all that it needs. */
export const speak = { ...textToSpeech, text: 'Hello', voiceId: 'vc_1' };

/** One of the six operations whose payload and answer the interface document does not show. */
export const undocumented = { resource: 'call', operation: 'detectAnsweringMachine' };

/** 'Extra Fields' with these rows. */
export function extra(...rows: Array<[name: string, value: unknown, type?: 'text' | 'json']>) {
	const field = rows.map(([name, value, type]) => ({ name, value, ...(type ? { type } : {}) }));
	return { extraFields: { field } } as INodeParameters;
}

/** What a test wants to be different from one item with one recording and a fitting credential. */
export interface Scene
	extends Partial<
		Pick<
			RunInput,
			'items' | 'node' | 'nodeType' | 'settings' | 'onCredentialRead' | 'onAuthenticate'
		>
	> {
	json?: RunOutput['items'][number]['json'];
	files?: Record<string, TestFile>;
	/** What differs from the fitting credential; for each item, if it is a function. */
	credential?: ICredentialDataDecryptedObject | CredentialOfItem;
}

/** The node on n8n's engine and a recording service to call, for the tests of one describe. */
export class NodeUnderTest {
	engine!: Engine;

	service!: Recorder;

	credential(changes: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject {
		return { apiKey, environment: 'sandbox', baseUrl: this.service.baseUrl, ...changes };
	}

	async run(parameters: INodeParameters, scene: Scene = {}): Promise<RunOutput> {
		const { json = {}, files = { data: callWav }, credential, ...rest } = scene;
		return await this.engine.run({
			parameters,
			items: [await this.engine.item(json, files)],
			credential:
				typeof credential === 'function'
					? (itemIndex) => this.credential(credential(itemIndex))
					: this.credential(credential),
			...rest,
		});
	}

	/** Runs, and gives the only request that arrived and what came out. */
	async runOnce(parameters: INodeParameters, scene?: Scene) {
		const output = await this.run(parameters, scene);
		expect(output.error).toBeUndefined();
		expect(this.service.requests).toHaveLength(1);
		const [request] = this.service.requests;
		if (request === undefined) throw new Error('nothing arrived');
		return { ...output, request };
	}

	/** Runs, and gives the error; nothing may have arrived at the service. */
	async runUnsent(parameters: INodeParameters, scene?: Scene) {
		const { error, items } = await this.run(parameters, scene);
		expect(items).toEqual([]);
		expect(this.service.arrived).toBe(0);
		return { message: error?.message, description: error?.description };
	}
}

/** Starts both before the tests of a describe, and forgets between them what the service saw. */
export function useNode(mode: BinaryMode = 'filesystem'): NodeUnderTest {
	const under = new NodeUnderTest();
	beforeAll(async () => {
		under.engine = await Engine.start(mode);
		under.service = await Recorder.start();
	});
	afterAll(async () => await under.service.stop());
	beforeEach(() => under.service.reset(json({ ok: true })));
	return under;
}
