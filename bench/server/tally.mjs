/**
 * What the server has seen since it was last asked.
 * @typedef {object} Tally
 * @property {number} calls POSTs that arrived whole
 * @property {number} bytes of their bodies
 * @property {number} mostCalls most calls that were under way at once
 * @property {number} mostConnections most connections that were open at once
 * @property {number} connections that were opened
 * @property {string} hash sha256 of the file that came last, where hashing was asked for
 */

/** Counts calls and connections. */
export class Counter {
	#callsUnderWay = 0;
	#open = 0;
	/** @type {Tally} */
	tally = this.#fresh();

	/** @returns {Tally} */
	#fresh() {
		return {
			calls: 0,
			bytes: 0,
			mostCalls: this.#callsUnderWay,
			mostConnections: this.#open,
			connections: 0,
			hash: '',
		};
	}

	/**
	 * Begins anew.
	 * @returns {Tally} what was counted until now
	 */
	take() {
		const { tally } = this;
		this.tally = this.#fresh();
		return tally;
	}

	/** @param {import('node:net').Socket} socket */
	connected(socket) {
		this.#open++;
		this.tally.connections++;
		socket.once('close', () => this.#open--);
		// Once the ends of connections that came before it are seen too: Node tells new ones first, and needs some
		// turns until a connection that the other side has ended is closed here.
		void this.#afterTurns(4).then(() => {
			this.tally.mostConnections = Math.max(this.tally.mostConnections, this.#open);
		});
	}

	/** @param {number} count of the event loop */
	async #afterTurns(count) {
		for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
	}

	/** A call begins. */
	begin() {
		this.#callsUnderWay++;
		this.tally.mostCalls = Math.max(this.tally.mostCalls, this.#callsUnderWay);
	}

	/** A call is over, its answer sent or not. */
	end() {
		this.#callsUnderWay--;
	}
}
