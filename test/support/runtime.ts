/**
 * No test runs long enough to earn what the last stage of optimizing its code costs: a sixth of all. Memory
 * that is free is soon used again, so to give it back to the system in between costs a thirtieth, and to look for
 * it as often as a server does another thirtieth.
 */
export const TEST_RUNTIME = {
  BUN_JSC_useFTLJIT: '0',
  BUN_JSC_smallHeapGrowthFactor: '4',
  BUN_JSC_mediumHeapGrowthFactor: '4',
  BUN_JSC_largeHeapGrowthFactor: '3',
  MIMALLOC_PURGE_DELAY: '-1',
}
