import { joined } from './html.ts'
import type { Locale } from './locale.ts'

/**
 * Remembers the result of `draw` for each language and model, as long as the model exists. Use it for models
 * that all pages share, such as the methods of a catalogue. Decision 6 says how much time this saves.
 */
export function drawnOnce<Model extends object, Drawn extends object>(
  draw: (locale: Locale, model: Model) => Drawn,
): (locale: Locale, model: Model) => Drawn {
  const known = new WeakMap<Locale, WeakMap<Model, Drawn>>()
  function drawNew(locale: Locale, model: Model): Drawn {
    const drawn = joined(draw(locale, model))
    const ofLocale = known.get(locale) ?? new WeakMap<Model, Drawn>()
    known.set(locale, ofLocale.set(model, drawn))
    return drawn
  }
  return (locale, model) => known.get(locale)?.get(model) ?? drawNew(locale, model)
}
