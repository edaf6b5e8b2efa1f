/** An event of an object store; its fields are those that Amazon documents for S3. */
export interface StoreEvent {
	Records: object[];
}

let uploads = 0;

/** What a store says of a new object. Keys are encoded as in a form: `a b` is `a+b`. */
export function created(bucket: string, key: string, size = 1_000) {
	return {
		eventVersion: '2.1',
		eventSource: 'aws:s3',
		awsRegion: 'us-east-1',
		eventTime: new Date().toISOString(),
		eventName: 'ObjectCreated:Put',
		userIdentity: { principalId: 'EXAMPLE' },
		requestParameters: { sourceIPAddress: '127.0.0.1' },
		responseElements: {
			'x-amz-request-id': 'EXAMPLE123456789',
			'x-amz-id-2': 'EXAMPLE123/4567890',
		},
		s3: {
			s3SchemaVersion: '1.0',
			configurationId: 'recordings',
			bucket: {
				name: bucket,
				ownerIdentity: { principalId: 'EXAMPLE' },
				arn: `arn:aws:s3:::${bucket}`,
			},
			object: {
				key: encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+'),
				size,
				eTag: 'd41d8cd98f00b204e9800998ecf8427e',
				sequencer: `0055AED6DCD9${(++uploads).toString(16).padStart(4, '0')}`,
			},
		},
	};
}

/** The same as MinIO sends it: the name with a prefix, slashes encoded too, and two fields more. */
export function asMinio(record: ReturnType<typeof created>): StoreEvent {
	const eventName = `s3:${record.eventName}`;
	const { object, bucket } = record.s3;
	const Key = `${bucket.name}/${decodeURIComponent(object.key.replaceAll('+', ' '))}`;
	const encoded = { ...object, key: object.key.replaceAll('/', '%2F') };
	const s3 = { ...record.s3, object: encoded };
	return { EventName: eventName, Key, Records: [{ ...record, eventName, s3 }] } as StoreEvent;
}

/** What Amazon S3 sends when notifications are switched on. */
export const testEvent = (bucket: string) => ({
	Service: 'Amazon S3',
	Event: 's3:TestEvent',
	Time: new Date().toISOString(),
	Bucket: bucket,
	RequestId: 'EXAMPLE123456789',
	HostId: 'EXAMPLE123/4567890',
});
