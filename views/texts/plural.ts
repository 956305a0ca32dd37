/** The plural forms that a language needs for the whole numbers of a page. */
const pluralForms = {
  en: ['one', 'other'],
  de: ['one', 'other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
  fr: ['one', 'other'],
  es: ['one', 'other'],
  'pt-BR': ['one', 'other'],
  it: ['one', 'other'],
  nl: ['one', 'other'],
  pl: ['one', 'few', 'many'],
  tr: ['one', 'other'],
  uk: ['one', 'few', 'many'],
  ru: ['one', 'few', 'many'],
  he: ['one', 'two', 'other'],
  hi: ['one', 'other'],
  id: ['other'],
  vi: ['other'],
  th: ['other'],
  ja: ['other'],
  ko: ['other'],
  'zh-Hans': ['other'],
  'zh-Hant': ['other'],
} as const

type Tag = keyof typeof pluralForms
type Form<Language extends Tag> = (typeof pluralForms)[Language][number]

const rules = new Map<string, Intl.PluralRules>()

function ruleOf(tag: string): Intl.PluralRules {
  const known = rules.get(tag) ?? new Intl.PluralRules(tag)
  rules.set(tag, known)
  return known
}

/** The form that a number needs. The compiler asks for each form of the language. */
export const plural = <Language extends Tag>(
  tag: Language,
  count: number,
  forms: Record<Form<Language>, string>,
): string => (forms as Record<string, string>)[ruleOf(tag).select(count)] ?? ''
