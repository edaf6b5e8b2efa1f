import { ForwardReader, type HttpResponse } from '../streams/forwardReader';
import { describeBodyFault } from '../errors/responseError';
import { headBytes, maxPaddingBytes, piecesPerWrite } from '../limits';
import { toStringOrEmpty } from '../text/json';

/** What a response needs of the timeouts of its call, see call/timeouts.ts. */
interface Timeouts {
	onResponseProgress(): void;
	onStoreStart(): void;
	signal: AbortSignal;
}

/**
 * Length in bytes of UTF-8's byte order mark and white space (RFC 8259, 2) before the content; never splits a UTF-16
 * character.
 */
function getPaddingLength(bytes: Buffer): number {
	const padding = /^(\u00ef\u00bb\u00bf)?[\t\n\r ]*(?!\0)/.exec(bytes.toString('latin1'));
	return padding?.[0].length ?? 0;
}

/** A response of the service. Its first bytes are read when it is opened, and its body can be read once. */
export class ServiceResponse extends ForwardReader {
	/** As the service declared it; empty if it did not. */
	readonly contentType: string;

	/** Why the body cannot be used, regardless of its content; undefined if it can. */
	readonly bodyFault: string | undefined;

	/** Bytes of the byte order mark and of white space, which some servers send while they work on a JSON response. */
	private paddingLength = 0;

	private constructor(
		{ headers, statusCode, body }: HttpResponse,
		private readonly timeouts: Timeouts,
	) {
		super(
			{ chunks: body, close: () => body.destroy() },
			{ beforeRead: timeouts.onResponseProgress },
		);
		this.contentType = toStringOrEmpty(headers['content-type']);
		this.bodyFault = describeBodyFault(statusCode, toStringOrEmpty(headers['content-encoding']));
	}

	/** Reads the first bytes. Does not throw if the body breaks off: {@link fault} has the reason. */
	static async open(response: HttpResponse, timeouts: Timeouts): Promise<ServiceResponse> {
		const opened = new ServiceResponse(response, timeouts);
		let wanted = headBytes;
		for (;;) {
			await opened.peekIfPossible(wanted);
			opened.paddingLength = getPaddingLength(opened.buffered);
			const end = opened.paddingLength + headBytes;
			if (end <= wanted || opened.paddingLength > maxPaddingBytes) return opened;
			wanted = end;
		}
	}

	/** The first bytes of the content; fewer than {@link headBytes} if it is shorter. Empty once the body is read. */
	get head(): Uint8Array {
		return this.buffered.subarray(this.paddingLength, this.paddingLength + headBytes);
	}

	/**
	 * Reads on up to this offset, as {@link peek}, but returns what has arrived if the body breaks off. {@link fault} has
	 * the reason then, and each later read of the body throws it.
	 */
	async peekIfPossible(length: number): Promise<Buffer> {
		try {
			return await this.peek(length);
		} catch {
			return this.buffered;
		}
	}

	/** Closes a response that is not read. */
	static discard({ body }: HttpResponse): void {
		body.destroy();
	}

	/**
	 * The start of the body as far as it arrives; empty if it cannot be used. Does not throw if the body breaks off.
	 *
	 * @param limit in bytes; the rest is not read
	 */
	async readStart(limit: number): Promise<Buffer> {
		const wanted = this.bodyFault === undefined ? limit : 0;
		const start = await this.peekIfPossible(wanted);
		this.close();
		return start.subarray(0, wanted);
	}

	/** The entire body as a stream for n8n's binary storage, in constant memory. */
	toStream(): NodeJS.ReadableStream {
		this.timeouts.onStoreStart();
		return this.createStream(this.joinPieces())!;
	}

	/** The entire body, in fewer and larger pieces than it arrives in. */
	private async *joinPieces(): AsyncGenerator<Buffer> {
		// The time without a byte counts only while a read waits for the service. While n8n stores a piece, it does not.
		const { onStoreStart } = this.timeouts;
		let pieces: Uint8Array[] = [];
		for await (const piece of this.readPieces(onStoreStart, onStoreStart)) {
			pieces.push(piece);
			if (pieces.length < piecesPerWrite) continue;
			yield Buffer.concat(pieces);
			pieces = [];
		}
		if (pieces.length > 0) yield Buffer.concat(pieces);
	}
}
