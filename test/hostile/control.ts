import { liarsOf } from './liars.ts'
import type { Stand } from './stand.ts'

type Fields = Record<string, unknown>

const textOf = (fields: Fields, name: string): string => {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw new Error(`${name} must be a string`)
  return value
}

const countOf = (fields: Fields, name: string, otherwise: number): number => {
  const value = fields[name] ?? otherwise
  if (!Number.isSafeInteger(value) || Number(value) < 1 || Number(value) > 10_000)
    throw new Error(`${name} must be a number from 1 to 10000`)
  return Number(value)
}

const deeds: Record<string, (stand: Stand, fields: Fields) => void> = {
  expect: (stand, fields) => stand.expect(textOf(fields, 'address')),
  pay(stand, fields) {
    const amount = textOf(fields, 'amount')
    if (!/^[0-9]{1,40}$/.test(amount)) throw new Error('amount must be a whole number of the smallest unit')
    const asset = fields.asset === undefined ? stand.asset : textOf(fields, 'asset')
    stand.pay(textOf(fields, 'address'), BigInt(amount), asset)
  },
  mine: ({ chain }, fields) => chain.mine(countOf(fields, 'blocks', 1)),
  reorganise: ({ chain }, fields) => chain.reorganise(countOf(fields, 'depth', 1), fields.loses === true),
  lie: (stand, fields) => stand.lieLike(textOf(fields, 'name')),
}

/** The state of a simulated chain and its endpoints as JSON. */
export const stateOf = (stand: Stand): object => ({
  family: stand.family,
  asset: stand.asset,
  decimals: stand.decimals,
  lie: stand.lie,
  head: stand.chain.head,
  liar: { url: stand.liar.url, setting: stand.settingOf(stand.liar), asked: stand.liar.asked },
  honest: { url: stand.honest.url, setting: stand.settingOf(stand.honest), asked: stand.honest.asked },
  lies: liarsOf(stand.family).map(({ name, what }) => ({ name, what })),
})

const refuse = (status: number, problem: string): Response => Response.json({ problem }, { status })

async function answer(stand: Stand, request: Request): Promise<Response> {
  const name = new URL(request.url).pathname.slice(1)
  if (request.method === 'GET' && name === '') return Response.json(stateOf(stand))
  const deed = Object.hasOwn(deeds, name) ? deeds[name] : undefined
  if (request.method !== 'POST' || !deed) return refuse(404, `POST one of: ${Object.keys(deeds).join(', ')}`)
  try {
    const text = await request.text()
    deed(stand, text === '' ? {} : (JSON.parse(text) as Fields))
    return Response.json(stateOf(stand))
  } catch (error) {
    return refuse(400, error instanceof Error ? error.message : String(error))
  }
}

/**
 * Serves the commands that change a simulated chain on a port of their own, where no client of the chain sees
 * them.
 */
export function serveControl(stand: Stand, { hostname = '127.0.0.1', port = 0 } = {}) {
  const server = Bun.serve({ hostname, port, fetch: request => answer(stand, request) })
  return { url: `http://${hostname}:${server.port}`, stop: () => server.stop(true) }
}
