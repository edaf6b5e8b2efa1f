/** The Opus decoder's WebAssembly in base64. The build takes it out of the package `opus-decoder` (gulpfile.js). */
export const opusWasm: string;
