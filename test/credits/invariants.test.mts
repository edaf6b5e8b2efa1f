import { testInterleavings } from './invariants/run.mts';

// Always the same ones, so that a failure is that of the change. test/weekly/invariants.test.mts chooses others each time.
testInterleavings(100, 1);
