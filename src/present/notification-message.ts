import type { About, NotificationFacts } from '../domain/notification-facts.ts'

/** The facts of one kind of notification. */
export type FactsOf<K extends About, F = NotificationFacts> = F extends { about: unknown }
  ? K extends F['about']
    ? F
    : never
  : never

/** What is put into the language before a text is made: who, and when. */
export type Shown = { by?: string; since?: string; time?: string }

/** A sentence, or what makes one of the facts. */
type Sentence<F> = string | ((facts: Omit<F, 'by' | 'since' | 'at'> & Required<Shown>) => string)

/** A title that is missing is the beginning of the text. */
export type Message<F> = { title?: string; text: Sentence<F>; advice?: Sentence<F> }

/** The compiler names a message that is missing, or that wants other facts. */
export type Messages = { [K in About]: Message<FactsOf<K>> }
