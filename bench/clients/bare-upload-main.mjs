// What a program of a few lines does for the same work: send one file as multipart/form-data.
import { createReadStream, statSync } from 'node:fs';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';

const [url = '', file = ''] = process.argv.slice(2);
const before = process.cpuUsage();
const from = performance.now();

const head = Buffer.from(
	'--boundary\r\nContent-Disposition: form-data; name="file"; filename="large.wav"\r\nContent-Type: audio/wav\r\n\r\n',
);
const tail = Buffer.from('\r\n--boundary--\r\n');

async function* body() {
	yield head;
	yield* createReadStream(file);
	yield tail;
}

const sent = request(url, {
	method: 'POST',
	headers: {
		'Content-Type': 'multipart/form-data; boundary=boundary',
		'Content-Length': head.length + statSync(file).size + tail.length,
	},
});
const answered = new Promise((resolve, reject) => {
	sent.on('response', (response) => response.resume().on('end', resolve));
	sent.on('error', reject);
});
await pipeline(body, sent);
await answered;

const { user, system } = process.cpuUsage(before);
process.send?.({ seconds: (performance.now() - from) / 1_000, cpu: (user + system) / 1e6 });
process.disconnect?.();
