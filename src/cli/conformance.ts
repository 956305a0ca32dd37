import { invalid } from '../domain/errors.ts'
import type { Answer, Cli } from './cli.ts'
import { Problem } from './conformance/expect.ts'
import { type Scenario, scenarios } from './conformance/scenarios.ts'
import { doorOf, type Shop, sendTo } from './conformance/shop.ts'
import { requireSandbox, sandboxOf } from './developer/sandbox.ts'
import { developerCommand, type ServerOptions, serverOf } from './developer/server.ts'

interface Options extends ServerOptions {
  shop?: string
  only?: string
}

/** One checked scenario; `problem` is null if the shop did everything right, or was not tried. */
interface Checked {
  name: string
  title: string
  result: 'ok' | 'wrong' | 'not_tried'
  problem: string | null
}

async function check(shop: Shop, { name, title, needsDoor, run }: Scenario): Promise<Checked> {
  if (needsDoor && !shop.door) return { name, title, result: 'not_tried', problem: null }
  try {
    await run(shop)
    return { name, title, result: 'ok', problem: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { name, title, result: 'wrong', problem: error.message }
  }
}

const labels = { ok: 'ok     ', wrong: 'WRONG  ', not_tried: '–      ' }

function answerOf(items: Checked[], hasDoor: boolean): Answer {
  const wrong = items.filter(({ result }) => result === 'wrong').length
  const lines = items.flatMap(({ title, result, problem }) => [
    `${labels[result]}${title}`,
    ...(problem === null ? [] : [`       ${problem}`]),
  ])
  const door = hasDoor
    ? []
    : ['', 'Only the responses of the webhook were checked. With --shop, it is also seen what the shop does.']
  const sum = wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${items.length} are wrong.`
  return { json: { items }, text: [...lines, ...door, '', sum].join('\n'), exitCode: wrong === 0 ? 0 : 1 }
}

function secretOf(cli: Cli): string {
  const { FLORIN_WEBHOOK_SECRET } = cli.environment
  if (FLORIN_WEBHOOK_SECRET) return FLORIN_WEBHOOK_SECRET
  throw invalid('FLORIN_WEBHOOK_SECRET', "must be the signing secret that the shop's webhook receiver uses")
}

function chosen({ only }: Options): readonly Scenario[] {
  if (only === undefined) return scenarios
  return only.split(',').map(wanted => {
    const found = scenarios.find(({ name }) => name === wanted.trim())
    if (found) return found
    throw invalid('only', `has no scenario named ${wanted}`)
  })
}

export const conformance = (cli: Cli) =>
  developerCommand(
    'conformance',
    "test a shop's webhook receiver with the help of a sandbox, and exit with 1 if it does something wrong",
  )
    .argument('<url>', 'URL of the webhook receiver')
    .option('--shop <url>', "the shop's test endpoint, which creates orders and reports their state")
    .option('--only <names>', `comma-separated list of: ${scenarios.map(({ name }) => name).join(', ')}`)
    .action(
      cli.answering(async (url: string, options: Options) => {
        const secret = secretOf(cli)
        const server = await serverOf(cli, options)
        await requireSandbox(server)
        const door = options.shop === undefined ? null : doorOf(options.shop.replace(/\/+$/, ''))
        const shop: Shop = { server, sandbox: sandboxOf(server), door, send: sendTo(url, secret) }
        const items: Checked[] = []
        for (const scenario of chosen(options)) items.push(await check(shop, scenario))
        return answerOf(items, door !== null)
      }),
    )
