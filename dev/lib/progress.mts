/**
 * Shows the current step and how long it takes: on a terminal in one line that counts the seconds,
 * elsewhere in a new line every 15 seconds.
 */
export function createProgress() {
	const out = process.stdout;
	let current: { title: string; since: number; timer: NodeJS.Timeout } | undefined;
	const seconds = () => Math.round((Date.now() - (current?.since ?? 0)) / 1_000);

	const end = () => {
		if (!current) return;
		clearInterval(current.timer);
		const took = seconds() > 0 ? `${seconds()} s` : 'done';
		out.write(out.isTTY ? `\r\x1b[K  ${current.title}: ${took}\n` : `    ${took}\n`);
		current = undefined;
	};

	return {
		/**
		 * Ends the previous step and starts another.
		 * @param title such as "Packing it"
		 * @param usually how long it usually takes
		 */
		step(title: string, usually?: string) {
			end();
			const line = `  ${title}${usually ? ` (usually ${usually})` : ''} ...`;
			out.write(out.isTTY ? line : `${line}\n`);
			const show = () =>
				out.write(out.isTTY ? `\r\x1b[K${line} ${seconds()} s` : `    ${seconds()} s\n`);
			const timer = setInterval(show, out.isTTY ? 1_000 : 15_000);
			timer.unref();
			current = { title, since: Date.now(), timer };
		},
		/** Ends the last step. */
		end,
	};
}

export type Progress = ReturnType<typeof createProgress>;
