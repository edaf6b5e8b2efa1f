import { testInterleavings } from '../credits/invariants/run.mts';

testInterleavings(1_000);
