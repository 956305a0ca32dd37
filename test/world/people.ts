import { shareOf } from './decimals.ts'
import type { DecisionFact } from './facts.ts'
import type { Person, RequestOf } from './steps.ts'
import type { World, WorldOrder } from './world.ts'

/** The actions of a shop's people in the dashboard. */
export class People {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  cancel(order: WorldOrder, by: Person, together: number | null): Promise<void> {
    return this.#form(order, { what: 'cancel', by, form: { reason: 'sold out' }, together })
  }

  refund(
    order: WorldOrder,
    { do: what, percent, key }: RequestOf<'refund' | 'send-refund'>,
    together: number | null,
  ): Promise<void> {
    const token = `00000000-0000-7000-8000-${`${key}`.padStart(12, '0')}`
    const form = { amount: shareOf(order, percent), reason: 'returned', token }
    return this.#form(order, { what, by: 'owner', form, together })
  }

  #browserOf(order: WorldOrder, by: Person) {
    const { shops } = this.#world
    if (by === 'stranger') return shops.find(({ number }) => number !== order.shop)?.people.owner
    const { people } = shops[order.shop]!
    return by === 'operator' ? people.owner : people[by]
  }

  async #form(
    order: WorldOrder,
    given: Pick<DecisionFact, 'what' | 'form' | 'together'> & {
      by: Person
      path?: string
      isStale?: boolean
    },
  ): Promise<void> {
    const { what, by, form, together, isStale = false } = given
    const browser = this.#browserOf(order, by)
    if (!browser) return
    const answer = await browser.post(given.path ?? `/dashboard/orders/${order.id}/${what}`, form)
    const who = by === 'operator' ? 'owner' : by
    this.#world.journal.note({
      ...{ fact: 'decision', by: { who, shop: order.shop, userId: browser.userId }, what, order: order.id },
      ...{ form, status: answer?.status ?? null, transfers: null, isStale, together },
    })
  }

  /** Forms of unmatched payments contain their IDs, so the page is read first. */
  async decide(
    order: WorldOrder,
    { do: what, by, isStale }: RequestOf<'end' | 'force' | 'accept' | 'resolve'>,
    together: number | null,
  ): Promise<void> {
    if (what === 'end') return this.#form(order, { what, by, form: {}, together })
    if (what === 'force') {
      const form = { reason: 'paid in cash', anyway: 'yes' }
      return this.#form(order, { what, by, form, together })
    }
    const page = await this.#browserOf(order, 'owner')!.get(`/dashboard/orders/${order.id}`)
    const [, payment] = /name="payment" value="([^"]+)"/.exec(page?.text ?? '') ?? []
    if (payment === undefined) return
    if (what === 'accept') {
      const form = { payment, reason: 'enough for us' }
      await this.#form(order, { what, by, form, together })
      // Sends the same form again, from a page that was opened before.
      if (isStale) await this.#form(order, { what, by, form, together, isStale })
      return
    }
    const [id = ''] = payment.split(' ')
    const path = `/dashboard/unmatched/${id}/resolve`
    const form = { text: 'sent back' }
    await this.#form(order, { what, by, form, path, together })
    if (isStale) await this.#form(order, { what, by, form, path, together, isStale })
  }

  async lookAround({ shop, page, by }: RequestOf<'dashboard'>): Promise<void> {
    const pages = ['', '/orders', '/unmatched', '/customers', '/deliveries', '/reports', '/audit', '/payouts']
    const path = `/dashboard${pages[page % pages.length]}`
    const role = by === 'owner' || by === 'staff' ? by : 'viewer'
    const answer = await this.#world.shops[shop]!.people[role].get(path)
    if (answer === null) return
    const { status, text: content } = answer
    this.#world.journal.hear({ says: 'dashboard', shop, path, status, html: content })
  }
}
