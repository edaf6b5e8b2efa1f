// Builds the package for the tests. Does nothing if it is up to date.
import { exitOnUserFacingError } from '../lib/errors.mts';
import { printStep } from '../lib/progress.mts';
import { packPackage } from '../n8n/package.mts';

await packPackage({ onStep: printStep }).catch(exitOnUserFacingError);
