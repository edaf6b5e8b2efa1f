import { testInterleavings } from './invariants/run';

// Always the same ones, so that a failure is that of the change. test/full/invariants.test.ts chooses others each time.
testInterleavings(100, 1);
