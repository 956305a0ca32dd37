import { expect, test } from 'bun:test'
import type { ChosenEndpoint } from '../../../src/domain/endpoint.ts'
import type { StoredMailServer } from '../../../src/domain/mail-server.ts'
import { type Open, opening } from './given.ts'

const endpointRow = (id: string, change: Partial<ChosenEndpoint> = {}): ChosenEndpoint => ({
  id,
  chain: 'base',
  position: 1,
  protocol: 'jsonrpc',
  url: 'https://base.example/v2/secret-key',
  header: { name: 'x-api-key', value: 'another-secret' },
  createdAt: 10,
  ...change,
})

export function endpointsContract(open: Open): void {
  const { read, write } = opening(open)
  const list = () => read(tables => tables.chosenEndpoints.list())
  const put = (endpoint: ChosenEndpoint) => write(tables => tables.chosenEndpoints.put(endpoint))

  test('chosen endpoints are listed by chain, in their order', async () => {
    const third = endpointRow('c', { position: 3, header: null })
    const [first, second] = [endpointRow('z'), endpointRow('b', { position: 2 })]
    const other = endpointRow('x', { chain: 'btc', protocol: 'esplora', position: 1 })
    for (const one of [third, other, second, first]) await put(one)
    expect(await list()).toEqual([first, second, third, other])
  })

  test('a chosen endpoint is replaced by its ID, and removed once', async () => {
    const moved = endpointRow('z', { position: 9, url: 'https://base.example/other', header: null })
    await put(moved)
    expect((await list()).filter(({ id }) => id === 'z')).toEqual([moved])
    const remove = () => write(tables => tables.chosenEndpoints.remove('z'))
    expect([await remove(), await remove()]).toEqual([true, false])
    expect((await list()).map(({ id }) => id)).toEqual(['b', 'c', 'x'])
  })

  test('each rate source is chosen once, and they are listed in the order in which they were chosen', async () => {
    const add = (name: string, at: number) => write(tables => tables.chosenRateSources.add(name, at))
    expect([await add('kraken', 20), await add('coinbase', 10), await add('kraken', 5)]).toEqual([
      true,
      true,
      false,
    ])
    const sources = () => read(tables => tables.chosenRateSources.list())
    expect(await sources()).toEqual(['coinbase', 'kraken'])
    const remove = () => write(tables => tables.chosenRateSources.remove('coinbase'))
    expect([await remove(), await remove()]).toEqual([true, false])
    expect(await sources()).toEqual(['kraken'])
  })

  test('a mail server replaces the one before it', async () => {
    const server = {
      ...({ id: 'mail', host: 'mail.example', port: 465, security: 'tls', userName: 'ann' } as const),
      ...{ password: { sealed: 'x', key: 'k' }, sender: 'ann@mail.example', updatedAt: 5 },
    }
    const find = () => read(tables => tables.chosenMailServers.find())
    const put = (one: StoredMailServer) => write(tables => tables.chosenMailServers.put(one))
    expect(await find()).toBe(null)
    await put(server)
    expect(await find()).toEqual(server)
    const open: StoredMailServer = { ...server, security: 'starttls', userName: '', password: null }
    await put(open)
    expect(await find()).toEqual(open)
    const remove = () => write(tables => tables.chosenMailServers.remove())
    expect([await remove(), await remove(), await find()]).toEqual([true, false, null])
  })
}
