import type { en } from './en/index.ts'

/** A catalogue. English is the source: the compiler refuses a missing or surplus key in other languages. */
export type Texts = typeof en
