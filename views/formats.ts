/**
 * Max remembered formats. 150 currencies have up to three in each language and region, which strangers
 * choose.
 */
const FORMATS_MAX = 500

/**
 * Remembers formats of `Intl` by language and options. Creating a format takes 50 µs, more than any other
 * part of a page; using it takes 1 µs.
 */
function remembered<Options, Format>(make: (tag: string, options?: Options) => Format) {
  const known = new Map<string, Format>()
  function makeNew(key: string, tag: string, options?: Options): Format {
    const format = make(tag, options)
    if (known.size >= FORMATS_MAX) known.delete(known.keys().next().value ?? '')
    known.set(key, format)
    return format
  }
  return (tag: string, options?: Options): Format => {
    const key = options === undefined ? tag : `${tag} ${JSON.stringify(options)}`
    return known.get(key) ?? makeNew(key, tag, options)
  }
}

export const numberFormat = remembered(
  (tag, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options),
)
export const dateTimeFormat = remembered(
  (tag, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
)
export const relativeTimeFormat = remembered(
  (tag, options?: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(tag, options),
)
export const listFormat = remembered(
  (tag, options?: Intl.ListFormatOptions) => new Intl.ListFormat(tag, options),
)
export const pluralRules = remembered(
  (tag, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(tag, options),
)
