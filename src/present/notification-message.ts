import type { About, NotificationFacts } from '../domain/notification-facts.ts'

export type FactsOf<K extends About, F = NotificationFacts> = F extends { about: unknown }
  ? K extends F['about']
    ? F
    : never
  : never

/** Facts that are put into the reader's language first: author and times. */
export type LocalizedFacts = { by?: string; since?: string; time?: string }

/** A sentence, or a function that makes a sentence from the facts. */
type Sentence<F> = string | ((facts: Omit<F, 'by' | 'since' | 'at'> & Required<LocalizedFacts>) => string)

/** The texts of a notification. If there is no title, the beginning of the text is the title. */
export type Message<F> = { title?: string; text: Sentence<F>; advice?: Sentence<F> }

/**
 * The messages of all notifications. The compiler reports a message that is missing, or that needs other
 * facts.
 */
export type Messages = { [K in About]: Message<FactsOf<K>> }
