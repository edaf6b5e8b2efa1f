/**
 * The feed of a podcast (RSS 2.0).
 *
 * @param episodes the newest first; names are URL-safe
 */
export function createPodcastFeed(episodes: Array<{ name: string; address: string }>): string {
	const items = episodes.map(
		({ name, address }) =>
			`<item><title>${name}</title><link>https://podcast.example.com/${name}</link><guid>${name}</guid><enclosure url="${address}" type="audio/wav" length="1"/></item>`,
	);
	return `<rss version="2.0"><channel><title>Show</title>${items.join('')}</channel></rss>`;
}
