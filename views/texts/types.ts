import type { texts } from './made/en.ts'

/** The texts of a language. English is the source: the compiler names a key that another language lacks. */
export type Texts = typeof texts
