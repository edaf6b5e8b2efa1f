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

/** Width of an animation in pixels, which GitHub shows at 830 CSS pixels at most. */
const filmWidth = 1_200;

/** A filter for pictures of few colors, as workflows are. */
const fewColors = (count: number, palette: string) =>
	`split[a][b];[a]palettegen=max_colors=${count}:stats_mode=full[p];[b][p]paletteuse=dither=none${palette}`;

/** @throws where this machine has no ffmpeg */
const ffmpeg = (args: string, options: { cwd?: string; input?: Buffer }) =>
	execFileSync('ffmpeg', ['-loglevel', 'error', ...args.split(' ')], {
		...options,
		maxBuffer: 10_000_000,
	});

/** A picture in a fifth of the bytes. */
export const shrink = (png: Buffer): Buffer =>
	ffmpeg(
		`-f png_pipe -i - -vf ${fewColors(64, '')} -frames:v 1 -compression_level 100 -pred none -f image2pipe -c:v png -`,
		{ input: png },
	);

/** An animation that begins again when it has ended, as GIF: npm and GitHub show that. */
export function animate(frames: Frame[]): Buffer {
	const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-film-'));
	try {
		const script = frames.map(({ png, seconds }, index) => {
			writeFileSync(path.join(folder, `${index}.png`), png);
			return `file '${index}.png'\nduration ${seconds}\n`;
		});
		writeFileSync(path.join(folder, 'frames'), `ffconcat version 1.0\n${script.join('')}`);
		const filter = `scale=${filmWidth}:-2:flags=lanczos,${fewColors(128, ':diff_mode=rectangle')}`;
		// What the list says of the last frame applies to the frame after it, which is none.
		const lastDelay = Math.round(frames.at(-1)!.seconds * 100);
		ffmpeg(
			`-reinit_filter 0 -f concat -i frames -vf ${filter} -fps_mode vfr -final_delay ${lastDelay} -loop 0 film.gif`,
			{ cwd: folder },
		);
		return readFileSync(path.join(folder, 'film.gif'));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
