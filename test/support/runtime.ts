/**
 * Tests end too soon for the last stage of optimizing code, which costs a sixth of their time. Giving free
 * memory back to the system costs a thirtieth, though it is soon used again, and looking for it as often as a
 * server does costs another thirtieth.
 */
export const TEST_RUNTIME = {
  BUN_JSC_useFTLJIT: '0',
  BUN_JSC_smallHeapGrowthFactor: '4',
  BUN_JSC_mediumHeapGrowthFactor: '4',
  BUN_JSC_largeHeapGrowthFactor: '3',
  MIMALLOC_PURGE_DELAY: '-1',
}
