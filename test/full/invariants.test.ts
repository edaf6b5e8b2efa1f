import { testInterleavings } from '../credits/invariants/run';

testInterleavings(1_000);
