/** @returns `language` as ISO 639-1, `und` if none was found */
export async function detectLanguage({
	text,
}: {
	text: string;
}): Promise<{ language: string; reliable: boolean }> {
	// Loaded on the first call, because its tables would delay the start by 0.2 seconds.
	const { eld } = await import('eld/small');
	const result = eld.detect(text);
	return { language: result.language || 'und', reliable: result.isReliable() };
}
