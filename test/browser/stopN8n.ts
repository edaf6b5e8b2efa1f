/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
/** Stops what start-n8n.ts has started. */
export default async function stopN8n() {
	const { stopDemo } = globalThis as { stopDemo?: () => Promise<void> };
	await stopDemo?.();
}
