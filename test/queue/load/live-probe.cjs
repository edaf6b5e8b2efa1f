// Loaded into n8n's processes by NODE_OPTIONS: at SIGUSR2 it collects the garbage, and writes down what is
// left. Linux' own count shows a leak late: V8 returns memory when it likes.
const { renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

process.on('SIGUSR2', () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc');
	collect();
	// What was only waiting for its finalizer goes the second time.
	setTimeout(() => {
		collect();
		const { heapUsed, external } = process.memoryUsage();
		const file = join(process.env.VOICE_SPEECH_LIVE ?? '', `live-${process.pid}`);
		writeFileSync(`${file}.part`, String(heapUsed + external));
		renameSync(`${file}.part`, file);
	}, 500);
});
