/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { execFileSync } from 'node:child_process';

const FEW_COLOURS =
	'split[a][b];[a]palettegen=max_colors=64:stats_mode=full[p];[b][p]paletteuse=dither=none';

/**
 * A picture of few colours, as workflows are, in a fifth of the bytes.
 * @throws where this machine has no ffmpeg
 */
export function shrink(png: Buffer): Buffer {
	return execFileSync(
		'ffmpeg',
		[
			...['-loglevel', 'error', '-f', 'png_pipe', '-i', '-', '-vf', FEW_COLOURS],
			...['-frames:v', '1', '-compression_level', '100', '-pred', 'none'],
			...['-f', 'image2pipe', '-c:v', 'png', '-'],
		],
		{ input: png, maxBuffer: 10_000_000 },
	);
}
