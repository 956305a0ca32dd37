import { accessSync, constants, statSync } from 'node:fs'
import { realMachine } from '../app/machine.ts'
import { openFlorin } from '../app.ts'
import { Refusal } from '../domain/errors.ts'
import { makeLog } from '../log.ts'
import { readCatalogue } from '../operations/read-catalogue.ts'
import { listMerchants } from '../operations/read-merchants.ts'
import type { World } from '../operations/world.ts'
import type { Settings } from '../settings/table.ts'
import { type Cli, command } from './cli.ts'

/** What was looked at; a fault says what to do about it. */
interface Finding {
  check: string
  ok: boolean
  fault?: string
}

const good = (check: string): Finding => ({ check, ok: true })
const bad = (check: string, fault: string): Finding => ({ check, ok: false, fault })

function dataDirectory({ dataDir }: Settings): Finding[] {
  const check = 'data directory'
  try {
    accessSync(dataDir, constants.W_OK)
  } catch {
    return [bad(check, `${dataDir} cannot be written. Give it to the user that Florin runs as.`)]
  }
  const isOpen = process.platform !== 'win32' && (statSync(dataDir).mode & 0o007) !== 0
  return [isOpen ? bad(check, `${dataDir} can be read by everybody. Run: chmod 700 ${dataDir}`) : good(check)]
}

function checkoutAddress({ checkoutUrl, sandbox }: Settings): Finding[] {
  const check = 'checkout address'
  if (sandbox) return []
  if (checkoutUrl.startsWith('https://')) return [good(check)]
  return [
    bad(
      check,
      'Buyers need https. Set FLORIN_CHECKOUT_URL to the https address that your reverse proxy serves.',
    ),
  ]
}

async function database({ storage }: World): Promise<Finding[]> {
  try {
    await storage.check()
    const damage = await storage.inspect()
    return [
      damage ? bad('database', `The database is damaged (${damage}). Restore a backup.`) : good('database'),
    ]
  } catch (error) {
    return [bad('database', `The database takes no writes: ${String(error)}. Is the disk full?`)]
  }
}

async function merchants(world: World): Promise<Finding[]> {
  const all = await listMerchants(world)
  if (all.length === 0) {
    return [bad('merchants', 'There is no merchant yet. Run: florin merchant create --email E --name N')]
  }
  return Promise.all(
    all.map(async ({ id, name }) => {
      const found = await world.storage.read(async tables => ({
        wallet: await tables.wallets.find(id),
        webhook: await tables.webhooks.find(id),
      }))
      const check = `merchant ${name}`
      if (Object.keys(found.wallet?.addresses ?? {}).length === 0) {
        return bad(check, 'It has no payout wallet, so it cannot be paid. Send PUT /v1/wallet.')
      }
      if (found.webhook?.status === 'disabled') {
        return bad(
          check,
          'Its webhook was disabled after days of failures. Mend it, then send PUT /v1/webhook.',
        )
      }
      return good(check)
    }),
  )
}

async function providers(world: World): Promise<Finding[]> {
  return Promise.all(
    world.providers.all.map(async provider => {
      const check = `provider ${provider.id}`
      try {
        await readCatalogue(world, provider, true)
        return good(check)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return bad(check, 'It does not answer. Check FLORIN_GATEWAY_URL and the network.')
      }
    }),
  )
}

async function assets(world: World): Promise<Finding[]> {
  const watched = world.networks.assets.filter(({ chain }) => world.networks.of(chain))
  return Promise.all(
    watched.map(async asset => {
      const fault = await world.networks.of(asset.chain)?.fault(asset)
      if (fault) return bad(`asset ${asset.id}`, fault)
      const rate = await world.rates.rate(asset.id, 'USD')
      return rate
        ? good(`asset ${asset.id}`)
        : bad(`asset ${asset.id}`, 'It has no rate in USD. Check FLORIN_RATES.')
    }),
  )
}

async function examine(settings: Settings): Promise<Finding[]> {
  const florin = openFlorin(
    settings,
    realMachine(makeLog('silent')),
    `http://${settings.host}:${settings.port}`,
  )
  try {
    const { world } = florin
    const upstreams = settings.sandbox ? [] : [...(await providers(world)), ...(await assets(world))]
    return [
      ...dataDirectory(settings),
      ...(await database(world)),
      ...checkoutAddress(settings),
      ...(await merchants(world)),
      ...upstreams,
    ]
  } finally {
    await florin.close()
  }
}

export const doctor = (cli: Cli) =>
  command('doctor', 'check the installation and say what to do about each fault').action(
    cli.answering(async () => {
      const findings = await examine(cli.settings())
      const text = findings.map(({ check, ok, fault }) =>
        ok ? `ok     ${check}` : `FAULT  ${check}: ${fault}`,
      )
      const isWell = findings.every(({ ok }) => ok)
      return { json: { ok: isWell, findings }, text: text.join('\n'), exitCode: isWell ? 0 : 1 }
    }),
  )
