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
	const divisor = greatestDivisor(from, to);
	const steps = from / divisor;
	const phases = to / divisor;
	const cutoff = Math.min(1, to / from);
	const reach = Math.ceil(REACH / cutoff);
	// New samples fall between the old ones at few different places, over and over.
	const filters = Array.from({ length: phases }, (_, phase) =>
		filterAt(((phase * steps) % phases) / phases, reach, cutoff),
	);
	const result = new Int16Array(Math.floor((samples.length * to) / from));
	for (let index = 0; index < result.length; index++) {
		const filter = filters[index % phases] ?? new Float64Array();
		const first = Math.floor((index * steps) / phases) - reach;
		let sum = 0;
		for (let tap = 0; tap < filter.length; tap++) {
			sum += (samples[first + tap] ?? 0) * (filter[tap] ?? 0);
		}
		result[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
	}
	return result;
}

/**
 * Weights of the old samples around a new one.
 * @param {number} offset of the new one after the middle one, from 0 to 1
 * @param {number} reach samples on each side
 * @param {number} cutoff from 0 to 1, in proportion to half the old rate
 * @returns {Float64Array}
 */
function filterAt(offset, reach, cutoff) {
	return Float64Array.from({ length: 2 * reach + 1 }, (_, tap) => {
		const distance = tap - reach - offset;
		const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (reach + 1));
		return cutoff * sinc(distance * cutoff) * window;
	});
}

/** @param {number} x */
function sinc(x) {
	return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/**
 * @param {number} one
 * @param {number} other
 * @returns {number}
 */
function greatestDivisor(one, other) {
	return other === 0 ? one : greatestDivisor(other, one % other);
}
