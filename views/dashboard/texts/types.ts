import type { en } from './en/index.ts'

type Translated<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof T]: Translated<T[Key]> }

/** The texts of the dashboard. English is the source: another language has the same keys. */
export type Texts = Translated<typeof en>
