import { runInProcess } from '../cli/in-process.ts'
import { type App, startApp } from './app.ts'
import { check, givenOrder, givenShop, openCrypto, type Shop, simulate } from './given.ts'
import { startReceiver } from './receiver.ts'

const MINUTE_MS = 60_000

/** Replaces values that differ in every run by fixed examples, in order of appearance. */
export function withFixedNames(text: string): string {
  const numbered = (pattern: RegExp, example: (number: number) => string) => (from: string) => {
    const known = new Map<string, string>()
    return from.replace(pattern, found => {
      if (!known.has(found)) known.set(found, example(known.size + 1))
      return known.get(found) ?? ''
    })
  }
  const steps = [
    numbered(
      /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
      n => `0199f0b2-0000-7000-8000-00000000000${n}`,
    ),
    numbered(/\b0x[0-9A-Fa-f]{40}\b/g, n => `0x${String(n).repeat(40)}`),
    numbered(/\b[0-9a-f]{64}\b/g, n => `${'abcdef'[n]}${'0123456789'.repeat(7).slice(0, 63)}`),
  ]
  return steps.reduce((from, step) => step(from), text)
}

async function underpaid(app: App, shop: Shop): Promise<string> {
  const customer = { email: 'sam@buyer.example' }
  const { orderUUID } = await givenOrder(app, shop, { externalId: 'A-1041', customer })
  await openCrypto(app, orderUUID, 'ethereum/usdc')
  await simulate(app, orderUUID, 'underpaid')
  await check(app, orderUUID)
  return orderUUID
}

async function card(app: App, shop: Shop): Promise<string> {
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['moonpay'] })
  await app.call('GET', `/payment/process/${orderUUID}?method=moonpay`)
  await app.advance(10 * MINUTE_MS)
  return orderUUID
}

async function undelivered(app: App, shop: Shop, url: string): Promise<string> {
  await app.call('PUT', '/v1/webhook', { key: shop.live, body: { url } })
  const { orderUUID } = await givenOrder(app, shop)
  await openCrypto(app, orderUUID, 'ethereum/usdc')
  await simulate(app, orderUUID, 'paid')
  await check(app, orderUUID)
  await app.jobs.settle()
  return orderUUID
}

/** The commands of the support page for a buyer who claims to have paid, with their output. */
export async function supportCases(): Promise<Record<string, string>> {
  const receiver = startReceiver()
  receiver.answerWith(() => new Response('no', { status: 503 }))
  const app = await startApp({ FLORIN_OUTBOUND_ALLOW: receiver.host })
  try {
    const shop = await givenShop(app)
    const environment = { FLORIN_DATA_DIR: app.dataDir, FLORIN_CHECKOUT_URL: 'https://pay.shop.example' }
    const block = async (...args: string[]) => {
      const { stdout, stderr } = await runInProcess(environment, ...args)
      if (stderr !== '') throw new Error(stderr)
      return `\`\`\`\n${withFixedNames(`$ florin ${args.join(' ')}\n${stdout}`)}\`\`\``
    }
    const first = await underpaid(app, shop)
    return {
      find: await block('order', 'list', '--merchant', shop.id, '--email', 'sam@buyer.example'),
      underpaid: await block('order', 'show', first),
      card: await block('order', 'show', await card(app, shop)),
      undelivered: await block('order', 'show', await undelivered(app, shop, receiver.url)),
    }
  } finally {
    await app.close()
    await receiver.stop()
  }
}
