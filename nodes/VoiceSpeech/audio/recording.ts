/** A recording that can be sent: known before anything of it is read. */
export interface Recording {
	/** What makes this recording this one, to know an unchanged request again. */
	identity: unknown[];
	/**
	 * Begins to read it. Called again for a call that is sent again.
	 *
	 * @param signal ends the reading
	 */
	open(signal: AbortSignal): Promise<ByteSource>;
}

/** The bytes of a recording, and what is known of them only once it is opened. */
export interface ByteSource {
	/** In bytes; undefined where the other side does not tell. */
	size: number | undefined;
	/** As the file, or the server it comes from, calls itself; checked against its bytes before it is sent. */
	announced: { name: string; mimeType: string };
	chunks: AsyncIterable<Uint8Array>;
	/** How often each chunk is held outside of V8's heap. */
	copies: number;
	/** Ends the reading and closes what was opened; harmless after the end. */
	close(): void;
}
