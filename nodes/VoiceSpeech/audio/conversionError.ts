import type { Obstacle } from '../errors/audioError';

/** A recording that cannot be converted. */
export class ConversionError extends Error {
	override readonly name = 'ConversionError';

	constructor(readonly obstacle: Obstacle) {
		super(obstacle.kind);
	}
}

/**
 * Finds out why a recording cannot be converted. Not by `instanceof`, because the published node and the file that it
 * loads to convert each contain a copy of the class (gulpfile.js).
 *
 * @returns undefined for any other error
 */
export function findObstacle(error: unknown): Obstacle | undefined {
	const isConversionError = error instanceof Error && error.name === 'ConversionError';
	return isConversionError ? (error as ConversionError).obstacle : undefined;
}

/** The error for a recording that does not follow its format, or that is cut off where it must not be. */
export function createDamagedError(): ConversionError {
	return new ConversionError({ kind: 'damaged' });
}
