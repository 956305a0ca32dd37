import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { registry } from '../../src/coins/registry.ts'
import { toUnits } from '../../src/domain/money.ts'
import type { Family } from '../simulation/lies.ts'
import { plans } from '../simulation/plans.ts'
import { startApp } from '../support/app.ts'
import { givenMerchant, orderBody } from '../support/given.ts'
import { FLORIN, newFolder, type RunningProcess, runCli, startProcess } from '../support/process.ts'
import { setupOf } from './stand.ts'
import type { Opened, StartSubject, Subject, Surroundings } from './subject.ts'

const SECOND_MS = 1000
/** Notifications that show a merchant that payments cannot be seen. */
const aboutReading = ['chain_blind', 'endpoint_down']

/** A file with the price of each asset, from which the server reads its exchange rates. */
function writePrices(prices: Record<string, string>): string {
  const file = join(newFolder(), 'rates.json')
  const rates = registry.assets.flatMap(({ id, ticker }) => {
    const price = prices[ticker]
    return price === undefined ? [] : [[id, { USD: price }]]
  })
  writeFileSync(file, JSON.stringify(Object.fromEntries(rates)))
  return file
}

interface Shop {
  merchantId: string
  key: string
}

/** A shop for each family, made before the server starts. */
async function makeShops(
  environment: Record<string, string>,
  families: Family[],
): Promise<Map<Family, Shop>> {
  const app = await startApp(environment)
  const shops = new Map<Family, Shop>()
  for (const family of families) {
    const { id, live } = await givenMerchant(app)
    await plans[family].setUpWallet(app.context, id, setupOf(family))
    shops.set(family, { merchantId: id, key: live })
  }
  await app.florin.close()
  return shops
}

function settingsOf({ endpoints, largeFrom }: Surroundings, rates: string): Record<string, string> {
  return {
    ...Object.fromEntries(endpoints.map(({ family, settings }) => [plans[family].setting, settings.join()])),
    FLORIN_SANDBOX: 'false',
    FLORIN_RATES: `file:${rates}`,
    FLORIN_PUBLIC_RATE_LIMIT: '0',
    FLORIN_API_RATE_LIMIT: '0',
    FLORIN_SECOND_OPINION: `${largeFrom} USD`,
    FLORIN_UNPAID_ADDRESSES: '10000',
    FLORIN_DATA_DIR: newFolder(),
  }
}

/** A server from this repository, used through its API and its pages. */
const start: StartSubject = async surroundings => {
  const environment = settingsOf(surroundings, writePrices(surroundings.prices))
  const shops = await makeShops(
    environment,
    surroundings.endpoints.map(({ family }) => family),
  )
  const server = await startProcess(FLORIN, ['serve'], environment)
  const headers = { accept: 'application/json' }
  /** Tries again if the server had closed an idle connection meanwhile. */
  const call: RunningProcess['call'] = async (...request) => {
    const [method, path] = request
    const since = performance.now()
    return server
      .call(...request)
      .catch(() => server.call(...request))
      .catch((error: Error) => {
        const seconds = Math.round((performance.now() - since) / SECOND_MS)
        throw new Error(`${method} ${path}, twice within ${seconds} s: ${error.message}`)
      })
  }

  const open: Subject['open'] = async (family, asset, dollars) => {
    const { key } = shops.get(family)!
    const body = orderBody({ amount: `${dollars}.00`, paymentMethodsKeys: ['crypto'] })
    const created = await call('POST', '/v1/orders', { key, body })
    if (created.status !== 201) return `${created.status} ${created.text}`
    const id: string = created.json.data.orderUUID
    const opened = await call('POST', `/pay/${id}/crypto`, { form: { asset }, headers })
    if (opened.status >= 400) return `${opened.status} ${opened.json?.error?.code ?? ''}`
    const { json } = await call('GET', `/pay/${id}/status`, { headers })
    return json?.data?.attempt ? openedOf(id, asset, json.data.attempt) : 'no payment is open'
  }

  return {
    health: `${server.url}/healthz`,
    pid: server.pid,
    open,
    async look(family, id) {
      await call('POST', `/pay/${id}/check`)
      const [order, page] = await Promise.all([
        call('GET', `/v1/orders/${id}`, { key: shops.get(family)!.key }),
        call('GET', `/pay/${id}/status`, { headers }),
      ])
      return {
        isPaid: order.json?.data?.status === 'PAID',
        isUnread: (page.json?.data?.attempt?.blindSince ?? null) !== null,
      }
    },
    async warnings(family) {
      const { merchantId } = shops.get(family)!
      const { stdout } = await runCli(
        ['notification', 'list', '--merchant', merchantId, '--json'],
        environment,
      )
      const { items } = JSON.parse(stdout) as { items: { kind: string; text: string }[] }
      return items.filter(({ kind }) => aboutReading.includes(kind)).map(({ text }) => text)
    },
    async stop() {
      await server.stop('SIGKILL').catch(() => {})
    },
  }
}

function openedOf(
  id: string,
  asset: string,
  { address, amount }: { address: string; amount: string },
): Opened {
  const { decimals } = registry.assets.find(one => one.id === asset)!
  return { id, address, due: toUnits(amount, decimals)! }
}

export default start
