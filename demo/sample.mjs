const rate = 16_000;

/**
 * Ten seconds that have the shape of what the service recommends for a voice sample: 16 kHz, one channel,
 * syllables of a hummed voice. It is a sound made by arithmetic, nobody's voice.
 * @returns {Buffer} a WAV file
 */
export function voiceSample() {
	const samples = new Int16Array(rate * 10);
	for (let i = 0; i < samples.length; i++) {
		const time = i / rate;
		// Four syllables a second, each rising and fading, with a pause of breath every two seconds.
		const syllable = Math.sin(Math.PI * ((time * 4) % 1)) ** 2;
		const breath = time % 2 > 1.7 ? 0 : 1;
		const pitch = 2 * Math.PI * 140 * time + Math.sin(2 * Math.PI * 3 * time);
		const voice = Math.sin(pitch) + 0.5 * Math.sin(2 * pitch) + 0.25 * Math.sin(3 * pitch);
		samples[i] = Math.round(9_000 * voice * syllable * breath);
	}
	return wav(samples);
}

/** @param {Int16Array} samples */
function wav(samples) {
	const header = Buffer.alloc(44);
	header.write('RIFF', 0);
	header.writeUInt32LE(36 + samples.byteLength, 4);
	header.write('WAVEfmt ', 8);
	header.writeUInt32LE(16, 16);
	// PCM, one channel of 16 bits.
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(1, 22);
	header.writeUInt32LE(rate, 24);
	header.writeUInt32LE(rate * 2, 28);
	header.writeUInt16LE(2, 32);
	header.writeUInt16LE(16, 34);
	header.write('data', 36);
	header.writeUInt32LE(samples.byteLength, 40);
	return Buffer.concat([header, Buffer.from(samples.buffer)]);
}
