import type { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';

/** What an object store reports about an object: the fields that Amazon documents for S3, as far as they are used here. */
interface StoreRecord {
	eventName: string;
	s3: { bucket: { name: string }; object: { key: string } };
}

export type ObjectStore = Awaited<ReturnType<typeof startObjectStore>>;

/** Starts an S3-compatible server with one bucket. It checks the signatures of requests that have one. */
export async function startObjectStore(bucket: string) {
	const directory = await mkdtemp(path.join(tmpdir(), 'voice-speech-bucket-'));
	const address = { address: '127.0.0.1', port: 0, silent: true };
	const configureBuckets = [{ name: bucket, configs: [] }];
	// @types/s3rver does not declare that S3rver is an EventEmitter.
	const server = new S3rver({ ...address, directory, configureBuckets }) as S3rver & EventEmitter;
	const { port } = await server.run();
	const url = `http://127.0.0.1:${port}`;
	let last: StoreRecord;
	server.on('event', ({ Records }: { Records: [StoreRecord] }) => {
		[last] = Records;
		const { object } = last.s3;
		// It forgets to encode keys as in a form, as Amazon documents: `a b` is `a+b`.
		object.key = encodeURIComponent(object.key).replaceAll('%2F', '/').replaceAll('%20', '+');
	});
	const send = async (key: string, request?: RequestInit) => {
		const encoded = key.split('/').map(encodeURIComponent).join('/');
		// The server closes connections after five seconds, so one that is used again may close at that moment.
		const headers = { connection: 'close' };
		return await fetch(`${url}/${bucket}/${encoded}`, { ...request, headers });
	};
	/** Returns what the store reports about the object. */
	const change = async (key: string, request: RequestInit) => {
		expect((await send(key, request)).ok).toBe(true);
		return last;
	};
	return {
		url,
		/** The only keys that it knows. */
		keys: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' },
		put: async (key: string, body: Buffer | string) => await change(key, { method: 'PUT', body }),
		delete: async (key: string) => await change(key, { method: 'DELETE' }),
		/** Resolves with undefined if the object does not exist. */
		async get(key: string) {
			const response = await send(key);
			return response.ok ? await response.text() : undefined;
		},
		async stop() {
			await server.close();
			await rm(directory, { recursive: true, force: true });
		},
	};
}

/** The event as MinIO sends it. The name has a prefix, slashes are encoded too, and there are two more fields. */
export function toMinioEvent(record: StoreRecord): object {
	const { bucket, object } = record.s3;
	const EventName = `s3:${record.eventName}`;
	const Key = `${bucket.name}/${decodeURIComponent(object.key.replaceAll('+', ' '))}`;
	const encoded = { ...object, key: object.key.replaceAll('/', '%2F') };
	const s3 = { ...record.s3, object: encoded };
	return { EventName, Key, Records: [{ ...record, eventName: EventName, s3 }] };
}
