import { cardFaults } from './cards.ts'
import { carelessFaults } from './careless.ts'
import { chainFaults } from './chains.ts'
import { eventFaults } from './events.ts'
import type { Fault } from './fault.ts'
import { furtherFaults } from './further.ts'
import { lightningFaults } from './lightning.ts'
import { moneyFaults } from './money.ts'
import { pageFaults } from './pages.ts'
import { plantedFaults } from './planted.ts'
import { upgradeFaults } from './upgrades.ts'

/**
 * Faults that the code once had, faults that were planted to check its tests, and faults that reviewers could
 * overlook.
 */
export const faults: readonly Fault[] = [
  ...chainFaults,
  ...moneyFaults,
  ...pageFaults,
  ...eventFaults,
  ...plantedFaults,
  ...furtherFaults,
  ...cardFaults,
  ...lightningFaults,
  ...carelessFaults,
  ...upgradeFaults,
]
