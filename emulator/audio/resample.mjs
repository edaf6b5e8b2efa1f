/** Neighbours on each side that count: more is cleaner and slower. */
const REACH = 8;

/**
 * Changes the sampling rate with a windowed sinc filter, which also keeps what is too high for the
 * lower rate from turning into noise.
 * @param {Int16Array} samples
 * @param {number} from Hz
 * @param {number} to Hz
 * @returns {Int16Array}
 */
export function resample(samples, from, to) {
	if (from === to) return samples;
	const step = from / to;
	const cutoff = Math.min(1, to / from);
	const reach = REACH / cutoff;
	return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, index) => {
		const centre = index * step;
		let sum = 0;
		for (let at = Math.ceil(centre - reach); at <= centre + reach; at++) {
			const distance = at - centre;
			const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / reach);
			sum += (samples[at] ?? 0) * cutoff * sinc(distance * cutoff) * window;
		}
		return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
	});
}

/** @param {number} x */
function sinc(x) {
	return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}
