import { expect } from 'bun:test'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, START, startApp } from '../support/app.ts'
import { check, givenMerchant, givenOrder, type Shop, simulate } from '../support/given.ts'
import { newFolder } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { SmtpServer } from '../support/smtp-server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, openOnly, outage, rest, wallets } from './payments.ts'
import { data } from './request.ts'

const GB = 1024 ** 3

export const says = (pattern: RegExp) => expect.stringMatching(pattern)

interface Item {
  kind: string
  text: string
}

/** A shop with a webhook, mail, and an operator with a notification URL, while a month passes. */
export class Month {
  app!: App
  shop!: Shop
  free = 50 * GB
  lostLines: number | null = null
  readonly folder = newFolder()
  /** the receiver of the operator */
  readonly operator = startReceiver()
  /** the receiver of the shop */
  readonly webhook = startReceiver()

  private constructor(readonly mail: SmtpServer) {}

  static async start(): Promise<Month> {
    const month = new Month(await SmtpServer.start())
    writeFileSync(join(month.folder, 'secret'), 'a secret of the operator')
    await month.startServer()
    month.makeBackup()
    await month.app.jobs.settle()
    await month.#setUp()
    return month
  }

  async startServer(dataDir?: string): Promise<void> {
    const { mail, operator, webhook, folder } = this
    const now = this.app?.time.now ?? START
    this.app = await startApp(
      {
        FLORIN_SMTP_URL: `smtp://${mail.host}`,
        FLORIN_MAIL_FROM: 'florin@pay.example',
        FLORIN_NOTIFY_URL: operator.url,
        FLORIN_NOTIFY_SECRET_FILE: join(folder, 'secret'),
        FLORIN_OUTBOUND_ALLOW: `${operator.host},${webhook.host}`,
        FLORIN_UNPAID_ADDRESSES: '20',
        ...(dataDir !== undefined && { FLORIN_DATA_DIR: dataDir }),
      },
      { freeBytes: async () => this.free, lostLogLines: () => this.lostLines },
    )
    this.app.time.now = now
  }

  async stop(): Promise<void> {
    await rest(this.app)
    expect(this.app.audit()).toEqual([])
    await this.app.close()
    await Promise.all([this.mail.stop(), this.operator.stop(), this.webhook.stop()])
  }

  makeBackup(): void {
    const { time, dataDir, databaseUrl } = this.app
    if (databaseUrl) {
      this.app.change('UPDATE installation SET backed_up_at = ?', time.now)
      return
    }
    writeFileSync(join(dataDir, 'florin.backup'), '')
    utimesSync(join(dataDir, 'florin.backup'), new Date(time.now), new Date(time.now))
  }

  async pass(ms: number, step = 10 * MINUTE_MS): Promise<void> {
    // If the clock moved while a message is on its way, it would be sent again, as if it had failed.
    await this.app.jobs.settle()
    for (let passed = 0; passed < ms; passed += step) await this.app.advance(step)
  }

  /** The messages to the operator since the last call. Expects the merchant's mails to say the same. */
  async news(): Promise<string[]> {
    await this.pass(20 * MINUTE_MS)
    const items = this.operatorNews()
    const mailed = this.mails()
    // A mail writes the time in another format.
    const startOf = (text: string) => text.slice(0, 40).split(/\d{4}-/)[0]!
    for (const { text } of items) {
      const start = startOf(text)
      const found = mailed.filter(one => one.includes(start))
      // Messages with the same beginning share a mail, unless the first is on its way when the next is made.
      const alike = items.filter(other => startOf(other.text) === start)
      expect(found.length, text).toBeGreaterThanOrEqual(1)
      expect(found.length, text).toBeLessThanOrEqual(alike.length)
    }
    return items.map(({ kind, text }) => `${kind} ${text}`)
  }

  operatorNews(): Item[] {
    const items = this.operator.received.flatMap(({ json }) => json.items as Item[])
    this.operator.received.length = 0
    return items
  }

  /** The mails to the merchant since the last call. */
  mails(): string[] {
    const mailed = this.mail.received.map(({ to, data: text }) => {
      expect(to).toEqual([this.shop.email])
      return text.replace(/=\r\n/g, '').replaceAll('=3D', '=').replace(/\s+/g, ' ')
    })
    this.mail.received.length = 0
    return mailed
  }

  /** Lets time pass, and expects no notification. */
  async quiet(ms: number): Promise<void> {
    await this.pass(ms, ms > DAY_MS ? 6 * HOUR_MS : HOUR_MS)
    expect(await this.news()).toEqual([])
  }

  async order(): Promise<string> {
    return (await givenOrder(this.app, this.shop, { paymentMethodsKeys: ['crypto'] })).orderUUID
  }

  async paidOrder(): Promise<string> {
    const id = await this.order()
    await openOnly(this.app, id, 'polygon/usdc')
    await simulate(this.app, id, 'paid')
    expect((await check(this.app, id)).status).toBe('PAID')
    await this.app.jobs.settle()
    return id
  }

  async #setUp(): Promise<void> {
    const { app, webhook } = this
    this.shop = await givenMerchant(app)
    const key = this.shop.live
    await data(app, 'PUT', '/v1/wallet', { key, body: { cryptoWallets: { evm: wallets.evm } } })
    await data(app, 'PUT', '/v1/webhook', { key, body: { url: webhook.url } })
    expect((await this.news()).toSorted()).toEqual([
      says(/^key_created .*live/),
      says(/^key_created .*test/),
      says(/^payout_changed .*Ethereum and compatible networks/),
      says(/^webhook_changed /),
    ])
  }

  /** An outage of an hour or longer: expects one notification when it begins, and another when it ends. */
  async outageOf(upstream: 'chain' | 'rates' | 'provider', down: RegExp, up: RegExp): Promise<void> {
    await outage(this.app, upstream, true)
    await this.pass(50 * MINUTE_MS)
    expect(await this.news()).toEqual([says(down)])
    await this.quiet(4 * HOUR_MS)
    await outage(this.app, upstream, false)
    expect(await this.news()).toEqual([says(up)])
    await this.quiet(4 * HOUR_MS)
  }
}
