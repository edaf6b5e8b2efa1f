/** Sampling rates of AAC in Hz, by samplingFrequencyIndex (ISO/IEC 14496-3, 1.6.3.4). */
export const aacSamplingRates = [
	96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
	7350,
];
