/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A picture of an animation. */
export interface Frame {
	png: Buffer;
	/** How long it is shown. */
	seconds: number;
}

const FEW_COLOURS =
	'split[a][b];[a]palettegen=max_colors=128:stats_mode=full[p];[b][p]paletteuse=dither=none:diff_mode=rectangle';

/**
 * An animation that begins again when it has ended, as GIF: npm and GitHub show that.
 * @throws where this machine has no ffmpeg
 */
export function animate(frames: Frame[]): Buffer {
	const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-film-'));
	try {
		const script = frames.map(({ png, seconds }, index) => {
			writeFileSync(path.join(folder, `${index}.png`), png);
			return `file '${index}.png'\nduration ${seconds}\n`;
		});
		writeFileSync(path.join(folder, 'frames'), `ffconcat version 1.0\n${script.join('')}`);
		execFileSync(
			'ffmpeg',
			[
				...[
					'-loglevel',
					'error',
					'-reinit_filter',
					'0',
					'-f',
					'concat',
					'-i',
					'frames',
					'-vf',
					FEW_COLOURS,
				],
				// What the list says of the last frame applies to the frame after it, which is none.
				...['-fps_mode', 'vfr', '-final_delay', String(Math.round(frames.at(-1)!.seconds * 100))],
				...['-loop', '0', 'film.gif'],
			],
			{ cwd: folder },
		);
		return readFileSync(path.join(folder, 'film.gif'));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
