// For `--node-flags="--require $PWD/bench/pretenured.cjs"`: brings V8 to the decision that makes an n8n process slow
// (README.md, "Why some n8n processes stay slow"), before n8n is loaded.
const { createWriteStream } = require('node:fs');
const { devNull } = require('node:os');
const { isMainThread } = require('node:worker_threads');

/** V8 decides only once the young generation is at its widest: surviving objects make it so. */
const survivors = 3_000_000;

const blank = Buffer.alloc(64 * 1024);

/** Short-lived strings, more than the young generation holds, make V8 look after its young objects. */
function collectYoung() {
	for (let count = 0; count < 1_500; count++) blank.toString('latin1');
}

function writeManyPieces() {
	// Until the file is open, every piece is kept in an object of its own.
	const stream = createWriteStream(devNull);
	for (let count = 1; count <= 3_000; count++) {
		stream.write(`{"some":"node${count}"}`);
		if (count % 500 === 0) collectYoung();
	}
	stream.end();
}

if (isMainThread && process.argv[1]?.endsWith('n8n')) {
	Array.from({ length: survivors }, (_, place) => ({ place, list: [place] }));
	for (let round = 0; round < 30; round++) writeManyPieces();
}
