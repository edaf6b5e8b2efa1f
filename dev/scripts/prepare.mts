// Builds the package for the tests. Does nothing if it is up to date.
import { Problem } from '../lib/problem.mts';
import { printStep } from '../lib/progress.mts';
import { packPackage } from '../n8n/package.mts';

try {
	await packPackage({ onStep: printStep });
} catch (error) {
	if (!(error instanceof Problem)) throw error;
	console.error(error.message);
	process.exit(1);
}
