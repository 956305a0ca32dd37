import { chainFaults } from './chains.ts'
import { eventFaults } from './events.ts'
import type { Fault } from './fault.ts'
import { moneyFaults } from './money.ts'
import { pageFaults } from './pages.ts'

/** Faults that the code once had, and others that were planted to judge its tests. */
export const faults: readonly Fault[] = [...chainFaults, ...moneyFaults, ...pageFaults, ...eventFaults]
