/** Stops what startN8n.cts has started. */
export default async function stopN8n() {
	const { stopDemo } = globalThis as { stopDemo?: () => Promise<void> };
	await stopDemo?.();
}
