// What a program of a few lines does for the same work: send each text, read each answer.
import { Agent, request } from 'node:http';

const [client, url = '', count, concurrency] = process.argv.slice(2);
const headers = { 'Content-Type': 'application/json', 'X-API-Key': 'key' };
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrency) });

/** @param {string} body */
async function withFetch(body) {
	const response = await fetch(url, { method: 'POST', headers, body });
	if (!response.ok) throw new Error(`status ${response.status}`);
	return Buffer.from(await response.arrayBuffer());
}

/** @param {string} body @returns {Promise<Buffer>} */
async function withHttp(body) {
	return await new Promise((resolve, reject) => {
		const sent = request(url, { method: 'POST', headers, agent }, (response) => {
			/** @type {Buffer[]} */
			const chunks = [];
			response.on('data', (chunk) => chunks.push(chunk));
			response.on('end', () => resolve(Buffer.concat(chunks)));
			response.on('error', reject);
		});
		sent.on('error', reject);
		sent.end(body);
	});
}

const send = client === 'http' ? withHttp : withFetch;
const from = performance.now();
const before = process.cpuUsage();
let next = 0;
const worker = async () => {
	while (next < Number(count)) {
		const answer = await send(
			JSON.stringify({ text: `Sentence number ${next++}`, voice_id: 'voice' }),
		);
		if (answer.length === 0) throw new Error('an answer was empty');
	}
};
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
const { user, system } = process.cpuUsage(before);
process.send?.({ seconds: (performance.now() - from) / 1_000, cpu: (user + system) / 1e6 });
agent.destroy();
process.disconnect?.();
