/** A number of seconds in words, for messages. */
export function formatSeconds(seconds: number): string {
	return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
