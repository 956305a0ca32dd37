import { microsText, unitsOf } from './decimals.ts'
import type { Json } from './facts.ts'
import { crossRates } from './prices.ts'
import type { RequestOf, Step } from './steps.ts'
import type { World, WorldOrder } from './world.ts'

const CHECK_PAUSE_MS = 6000
const gatewayMethods = ['moonpay', 'stripe', 'transak', 'revolut']
const html = { accept: 'text/html' }

/** The actions of buyers at the checkout, and the pages that they see there. */
export class Buyers {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  async open(order: WorldOrder, { asset: index }: RequestOf<'open'>, together: number | null): Promise<void> {
    const { assets, client, journal } = this.#world
    const { id: asset, decimals } = assets[index % assets.length]!
    const sending = { headers: { accept: 'application/json' }, form: { asset } }
    const answer = await client.send('POST', `/pay/${order.id}/crypto`, sending)
    const shown = answer?.status === 303 ? await client.status(order.id) : null
    const attempt: Json = shown?.attempt
    const known = order.opened.find(({ address }) => address === attempt?.address)
    const isNew = attempt?.assetId === asset && (known === undefined || known.asset !== asset)
    journal.note({
      ...{ fact: 'opened', order: order.id, asset },
      ...{ status: answer?.status ?? null, shown, isNew, asked: null, together },
    })
    if (isNew) order.opened.push({ asset, address: attempt.address, due: unitsOf(attempt.amount, decimals) })
  }

  async openPage(order: WorldOrder, { method: index }: RequestOf<'page'>): Promise<void> {
    const { client, journal } = this.#world
    const method = gatewayMethods[index % gatewayMethods.length]!
    const answer = await client.send('GET', `/payment/process/${order.id}?method=${method}`, {
      headers: html,
    })
    const led = answer?.headers.get('location') ?? ''
    const query = led.startsWith('https://gateway.example/') ? new URL(led).searchParams : null
    const asked = query && { amount: query.get('amount') ?? '', currency: query.get('currency') ?? '' }
    if (asked) order.pages.push({ method, ...asked })
    const shown = await client.status(order.id)
    const status = answer?.status ?? null
    journal.note({
      fact: 'opened',
      order: order.id,
      asset: method,
      status,
      asked,
      shown,
      ...{ isNew: asked !== null, together: null },
    })
  }

  /** Opens the page of a provider at which the shop has an account. */
  async openCard({ id: order }: WorldOrder, { provider }: RequestOf<'card'>): Promise<void> {
    const { client, cards, journal } = this.#world
    const path = `/payment/process/${order}?method=${provider}`
    const answer = cards && (await client.send('GET', path, { headers: html }))
    const opened = cards?.noteOpened(order, answer?.headers.get('location') ?? '')
    if (!cards) return
    journal.note({
      ...{ fact: 'opened', order, asset: provider, status: answer?.status ?? null, asked: null },
      ...{ shown: await client.status(order), isNew: opened !== null, together: null },
    })
  }

  /** The payments that were opened for an order, as its page lists them, the newest last. */
  async attemptsOf({ id }: WorldOrder): Promise<string[]> {
    const json = await this.#world.client.status(id)
    return (json?.attempts ?? []).map(({ attemptId }: { attemptId: string }) => attemptId)
  }

  async callBack(order: WorldOrder, { proof }: RequestOf<'callback'>): Promise<void> {
    const { gateway } = this.#world
    if (gateway) await gateway.callBack(order.id, await this.attemptsOf(order), proof)
  }

  /**
   * A buyer pays a percentage of the amount that the newest page asks for, in dollars or in another currency.
   */
  async payGateway(order: WorldOrder, step: Extract<Step, { do: 'pay-gateway' }>): Promise<void> {
    const { gateway } = this.#world
    const page = order.pages.at(-1)
    if (!(gateway && page)) return
    const tenths = crossRates[page.currency] ?? 10n
    const micros = (unitsOf(page.amount, 6) * 10n * BigInt(step.percent)) / (100n * tenths)
    gateway.pay(order.id, await this.attemptsOf(order), microsText(micros), step)
  }

  async visit(order: WorldOrder, { what }: RequestOf<'visit'>, together: number | null): Promise<void> {
    const { client, journal } = this.#world
    if (what === 'status') {
      const json = await client.status(order.id)
      journal.note({
        ...{ fact: 'visit', order: order.id, what },
        status: json ? 200 : null,
        value: null,
        together,
      })
      return
    }
    const looks = what === 'check' || what === 'elsewhere'
    if (looks && together === null) this.#world.move(CHECK_PAUSE_MS)
    const answer =
      what === 'page'
        ? await client.send('GET', `/pay/${order.id}`, { headers: html })
        : await client.send('POST', `/pay/${order.id}/check`, {
            headers: html,
            ...(what === 'elsewhere' && { form: { elsewhere: '1' } }),
          })
    journal.note({
      ...{ fact: 'visit', order: order.id, what },
      ...{ status: answer?.status ?? null, value: null, together },
    })
    // A program that requests a check loads no page, because loading a page would start another check.
    if (what === 'check' && together !== null) return
    const led = answer?.headers.get('location')
    const page = led ? await client.send('GET', led, { headers: html }) : answer
    if (page) journal.hear({ says: 'page', order: order.id, status: page.status, html: page.text })
    if (looks) await client.status(order.id)
  }

  async leaveRefundAddress(order: WorldOrder): Promise<void> {
    const { client, journal } = this.#world
    const json = await client.status(order.id)
    const attempt = json?.attempts.at(-1)?.attemptId
    const opened = order.opened.at(-1)
    if (!(attempt && opened)) return
    const form = { attempt, address: opened.address }
    const answer = await client.send('POST', `/pay/${order.id}/refund-address`, { headers: html, form })
    const status = answer?.status ?? null
    journal.note({
      fact: 'visit',
      order: order.id,
      what: 'refund-address',
      status,
      value: opened.address,
      together: null,
    })
  }
}
