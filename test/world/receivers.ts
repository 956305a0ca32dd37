import type { ReceiverFact } from './facts.ts'
import type { Journal } from './journal.ts'
import type { Outside } from './machine.ts'

type Mood = ReceiverFact['mood']
type Result = Awaited<ReturnType<Outside['send']>>

export const receiverHost = (shop: number): string => `shop-${shop}.example`

const answers: Record<Mood, { answered: number | null; result: Result }> = {
  ok: { answered: 200, result: { httpStatus: 200, outcome: 'delivered' } },
  fails: { answered: 500, result: { httpStatus: 500, outcome: 'refused' } },
  redirects: { answered: 302, result: { httpStatus: 302, outcome: 'refused' } },
  hangs: { answered: null, result: { httpStatus: null, outcome: 'timed_out' } },
  refuses: { answered: null, result: { httpStatus: null, outcome: 'unreachable' } },
  dies: { answered: null, result: { httpStatus: null, outcome: 'unreachable' } },
  gone: { answered: 410, result: { httpStatus: 410, outcome: 'refused' } },
}

/** The servers of shops that receive events. */
export class Receivers {
  readonly #journal: Journal
  readonly #moods: Mood[]

  constructor(journal: Journal, shops: number) {
    this.#journal = journal
    this.#moods = Array.from({ length: shops }, () => 'ok')
  }

  turn(shop: number, mood: Mood): void {
    this.#moods[shop] = mood
    this.#journal.note({ fact: 'receiver', shop, mood })
  }

  becomeHonest(): void {
    for (const shop of this.#moods.keys()) this.turn(shop, 'ok')
  }

  readonly send: Outside['send'] = async ({ url, headers, body }) => {
    const shop = this.#moods.findIndex((_, index) => url.host === receiverHost(index))
    if (shop < 0) return answers.refuses.result
    const mood = this.#moods[shop]!
    const { answered, result } = answers[mood]
    // A server that refuses connections receives nothing.
    if (mood !== 'refuses') {
      const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
      this.#journal.hear({
        ...{ says: 'delivery', shop, url: url.href, headers: Object.fromEntries(names) },
        ...{ body, answered },
      })
    }
    return result
  }
}
