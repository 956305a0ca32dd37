import type { texts } from './made/en.ts'

/** The texts of the dashboard. English is the source: another language has the same keys. */
export type Texts = typeof texts
