// A Medusa shop is paid through Florin, from the cart to the refund, and killed at random moments:
// npm run test:medusa -- --kills 32 --seed 1 (see README.md)
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../simulation/random.ts'
import { freePort } from '../support/free-port.ts'
import { postgresServer } from '../support/postgres.ts'
import { endProcesses, newFolder, runCli, SOURCE, startProcess } from '../support/process.ts'
import { Books } from './books.ts'
import { People } from './buyer.ts'
import { killShop } from './kills.ts'
import { installShop, Medusa, type Seeded, seedShop } from './medusa.ts'
import { playStories, STOCK } from './stories.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '32' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string', default: join(tmpdir(), 'florin-medusa-shop') },
    database: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** A sandbox with a merchant whose webhook points to the shop. */
async function startFlorin(webhook: string) {
  const dataDir = newFolder()
  const settings = { FLORIN_DATA_DIR: dataDir, FLORIN_SANDBOX: 'true', FLORIN_LOG_LEVEL: 'error' }
  const json = async (...args: string[]) => {
    const ran = await runCli([...args, '--json'], settings, SOURCE)
    if (ran.exitCode !== 0) throw new Error(ran.stderr)
    return JSON.parse(ran.stdout)
  }
  const { merchantId } = await json('merchant', 'create', '--email', 'shop@shop.example', '--name', 'Shop')
  const { key: apiKey } = await json('key', 'create', '--merchant', merchantId, '--mode', 'live')
  const florin = await startProcess(SOURCE, ['serve'], {
    ...settings,
    FLORIN_OUTBOUND_ALLOW: new URL(webhook).host,
  })
  const cryptoWallets = { evm: '0x1111111111111111111111111111111111111111' }
  await florin.call('PUT', '/v1/wallet', { key: apiKey, body: { cryptoWallets } })
  const { json: set } = await florin.call('PUT', '/v1/webhook', { key: apiKey, body: { url: webhook } })
  return { florin, apiKey, signingSecret: set.data.signingSecret }
}

const port = freePort()
try {
  const { florin, apiKey, signingSecret } = await startFlorin(`http://127.0.0.1:${port}/hooks/florin`)
  say(`Installing the shop in ${values.folder}`)
  installShop(values.folder)
  const postgres = values.database ? null : await postgresServer()
  const url = values.database ?? postgres?.url(await postgres.create()) ?? ''
  const environment = {
    DATABASE_URL: url,
    FLORIN_URL: florin.url,
    FLORIN_API_KEY: apiKey,
    FLORIN_WEBHOOK_SECRET: signingSecret,
  }
  const seeded: Seeded = values.database
    ? await Bun.file(join(values.folder, 'seeded.json')).json()
    : seedShop(values.folder, environment)
  const medusa = new Medusa(values.folder, environment, port)
  const books = new Books(url)
  const people = new People(medusa, florin, seeded)
  try {
    await medusa.start()
    await people.setStock(STOCK)
    await playStories({ people, books, florin, apiKey, say }, values.only)
    await killShop(
      { people, books, florin, apiKey, say },
      seededRandom(Number(values.seed)),
      Number(values.kills),
    )
    say('Everything holds.')
  } finally {
    await medusa.kill()
    await books.close()
  }
} finally {
  await endProcesses()
}
process.exit(0)
