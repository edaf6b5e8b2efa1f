// What the tests need: the packages of the lock file, and the built package. Does nothing if both are up to date.
import { buildPackage } from '../n8n/package.mts';

try {
	process.stdout.write(await buildPackage());
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
	process.exitCode = 1;
}
