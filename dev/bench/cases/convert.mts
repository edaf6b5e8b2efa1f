import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { placePackage } from '../../n8n/package.mts';
import { median } from '../claims.mts';
import type { Bench } from '../candidates.mts';
import type { Outcome } from '../claims.mts';

type Run = {
	seconds: number;
	audioSeconds: number;
	blockedMs: number;
	growth: number;
	bytes: number;
};

/**
 * Converts one file with the published module, in a process that does nothing else, and prints what it took. Turns are
 * yielded as the node does (call/pause.ts).
 */
const script = `
	const [module, format, file] = process.argv.slice(1);
	const { createReadStream } = require('node:fs');
	const { monitorEventLoopDelay } = require('node:perf_hooks');
	let lastTurn = Date.now();
	const yieldTurn = async () => {
		if (Date.now() - lastTurn < 25) return;
		await new Promise((resolve) => setTimeout(resolve, 0));
		lastTurn = Date.now();
	};
	(async () => {
		const { convertAudio, ForwardReader } = require(module);
		const open = async () => {
			const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
			return new ForwardReader(stream, () => stream.destroy());
		};
		let peak = 0;
		const sample = () => (peak = Math.max(peak, process.memoryUsage.rss()));
		const before = process.memoryUsage.rss();
		const timer = setInterval(sample, 20);
		const delay = monitorEventLoopDelay({ resolution: 1 });
		delay.enable();
		const from = performance.now();
		const converted = await convertAudio(format, open, { samplingRate: 16000, yieldTurn });
		let bytes = 0;
		for await (const chunk of converted.chunks()) bytes += chunk.length;
		const seconds = (performance.now() - from) / 1000;
		sample();
		clearInterval(timer);
		if (bytes !== converted.bytes) throw new Error('Another length than announced');
		const growth = peak - before;
		const blockedMs = delay.max / 1e6;
		process.stdout.write(JSON.stringify({ seconds, audioSeconds: converted.seconds, blockedMs, growth, bytes }));
	})();
`;

/** @returns seconds */
function timed(command: string, args: string[]): number {
	const from = performance.now();
	const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
	if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
	return (performance.now() - from) / 1_000;
}

/** @param args what comes before the output file */
const ffmpeg = (args: string, output: string) =>
	timed('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args.split(' '), output]);

/** Conversion of an hour of a voice message and of a film of 1 GiB, next to ffmpeg. */
export async function convert({ folder, host, tarball, options, onStep }: Bench): Promise<Outcome> {
	const userFolder = join(folder, 'convert');
	await mkdir(userFolder, { recursive: true });
	const { name } = await placePackage(tarball, userFolder);
	const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', name);
	const module = join(installed, 'dist/nodes/VoiceSpeech/convertAudio.js');
	onStep('making recordings');
	const seconds = options.quick ? 60 : 3_600;
	const voice = join(userFolder, 'voice.ogg');
	const film = join(userFolder, 'film.mov');
	const sound = `-f lavfi -i aevalsrc=0.3*sin(300*t+20*sin(3*t))*lt(mod(t\\,2)\\,1.4):s=48000:d=${seconds}`;
	ffmpeg(`${sound} -c:a libopus -b:a 24k -application voip`, voice);
	// Raw pictures of 115 kB: 5.5 a second for 28 minutes are 1 GiB.
	const filmSeconds = options.quick ? 60 : 1_680;
	ffmpeg(
		`-f lavfi -i color=s=320x240:r=11/2:d=${filmSeconds} -f lavfi -i sine=300:d=${filmSeconds} -c:v rawvideo -pix_fmt yuv420p -c:a aac`,
		film,
	);
	const outcomes = [];
	for (const [format, file, args, output] of [
		['ogg', voice, '-ar 16000 -ac 1', 'voice.wav'],
		['isobmff', film, '-vn -c:a copy', 'film.m4a'],
	]) {
		onStep(`converting ${file}`);
		const runs: Run[] = [];
		const others: number[] = [];
		for (let count = 0; count < (options.quick ? 1 : 3); count++) {
			const { stdout, stderr, status } = spawnSync(
				host.node,
				['-e', script, module, String(format), String(file)],
				{ encoding: 'utf8' },
			);
			if (status !== 0) throw new Error(`The conversion failed: ${stderr}`);
			runs.push(JSON.parse(stdout) as Run);
			others.push(ffmpeg(`-i ${file} ${args}`, join(userFolder, String(output))));
		}
		outcomes.push({ runs, others });
	}
	rmSync(userFolder, { recursive: true, force: true });
	const [ofVoice, ofFilm] = outcomes as [(typeof outcomes)[0], (typeof outcomes)[0]];
	const all = [...ofVoice.runs, ...ofFilm.runs];
	const inSeconds = (value: number) => `${value.toFixed(1)} s`;
	const perHour = ofVoice.runs.map((run) => (run.seconds * 3_600) / run.audioSeconds);
	return {
		title: 'conversion of a voice message and of a film',
		rows: [],
		claims: [
			{ what: 'an hour of voice', value: median(perHour), text: inSeconds, bar: 10 },
			{
				what: 'ffmpeg, the same file',
				value: (median(ofVoice.others) * 3_600) / seconds,
				text: inSeconds,
			},
			{
				what: `a film of ${options.quick ? '40 MB' : '1 GiB'}`,
				value: median(ofFilm.runs.map((run) => run.seconds)),
				text: inSeconds,
			},
			{ what: 'ffmpeg, the same film', value: median(ofFilm.others), text: inSeconds },
			{
				what: 'longest delay of the event loop',
				value: Math.max(...all.map(({ blockedMs }) => blockedMs)),
				text: (value) => `${value.toFixed(0)} ms`,
				bar: 50,
			},
			{
				what: 'memory, median',
				value: median(all.map(({ growth }) => growth)),
				text: (value) => `+${(value / 2 ** 20).toFixed(0)} MiB`,
				bar: 80 * 2 ** 20,
			},
		],
	};
}
