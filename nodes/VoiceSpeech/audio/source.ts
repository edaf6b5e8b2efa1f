/** Audio that can be sent, before anything of it is read. */
export interface AudioSource {
	/** What identifies this audio: two sources with equal lists have the same bytes. */
	identity: unknown[];
	/**
	 * Starts reading. Called again for a request that is sent again.
	 *
	 * @param signal aborts the reading
	 */
	open(signal: AbortSignal): Promise<OpenAudio>;
}

/** Audio that is being read, with what is known of it only then. */
export interface OpenAudio {
	/** In bytes; undefined where the source does not report it. */
	size: number | undefined;
	/** Name and type as the item or the server reports them; compared with the bytes before they are sent. */
	declared: { name: string; mimeType: string };
	chunks: AsyncIterable<Uint8Array>;
	/** Stops the reading and closes what was opened; may be called again. */
	close(): void;
}
