import { en } from './en/index.ts'
import type { Texts } from './types.ts'

/**
 * The texts in each language. A language is loaded when it is first read: all of them take 14 MiB and a
 * tenth of the time of a start from source. `require` loads at once, and the bundler sees it.
 */
export const catalogues = {
  en: () => en,
  de: () => (require('./de/index.ts') as typeof import('./de/index.ts')).de,
  fr: () => (require('./fr/index.ts') as typeof import('./fr/index.ts')).fr,
  es: () => (require('./es/index.ts') as typeof import('./es/index.ts')).es,
  'pt-BR': () => (require('./pt-BR/index.ts') as typeof import('./pt-BR/index.ts')).ptBR,
  it: () => (require('./it/index.ts') as typeof import('./it/index.ts')).it,
  nl: () => (require('./nl/index.ts') as typeof import('./nl/index.ts')).nl,
  pl: () => (require('./pl/index.ts') as typeof import('./pl/index.ts')).pl,
  tr: () => (require('./tr/index.ts') as typeof import('./tr/index.ts')).tr,
  uk: () => (require('./uk/index.ts') as typeof import('./uk/index.ts')).uk,
  ru: () => (require('./ru/index.ts') as typeof import('./ru/index.ts')).ru,
  ar: () => (require('./ar/index.ts') as typeof import('./ar/index.ts')).ar,
  he: () => (require('./he/index.ts') as typeof import('./he/index.ts')).he,
  hi: () => (require('./hi/index.ts') as typeof import('./hi/index.ts')).hi,
  id: () => (require('./id/index.ts') as typeof import('./id/index.ts')).id,
  vi: () => (require('./vi/index.ts') as typeof import('./vi/index.ts')).vi,
  th: () => (require('./th/index.ts') as typeof import('./th/index.ts')).th,
  ja: () => (require('./ja/index.ts') as typeof import('./ja/index.ts')).ja,
  ko: () => (require('./ko/index.ts') as typeof import('./ko/index.ts')).ko,
  'zh-Hans': () => (require('./zh-Hans/index.ts') as typeof import('./zh-Hans/index.ts')).zhHans,
  'zh-Hant': () => (require('./zh-Hant/index.ts') as typeof import('./zh-Hant/index.ts')).zhHant,
} as const satisfies Record<string, () => Texts>
