import { receive } from '../outbound/servers.ts'

/** The prices of an exchange, by its own names. */
export type Prices = Record<string, string>

const json = (body: unknown, status = 200) => Response.json(body as object, { status })

/** Each responds like the real exchange: one unknown pair makes it refuse the whole request. */
const answers = {
  kraken(url: URL, prices: Prices) {
    if (url.pathname !== '/0/public/Ticker') return json({ error: ['EGeneral:Unknown method'] }, 404)
    const asked = url.searchParams.get('pair')?.split(',') ?? Object.keys(prices)
    if (asked.some(pair => !(pair in prices))) return json({ error: ['EQuery:Unknown asset pair'] })
    const tickers = asked.map(pair => [
      pair,
      { a: [prices[pair], '1', '1.000'], b: [prices[pair], '1', '1.000'] },
    ])
    return json({ error: [], result: Object.fromEntries(tickers) })
  },
  coinbase(url: URL, rates: Prices) {
    if (url.pathname !== '/v2/exchange-rates') return json({ errors: [{ id: 'not_found' }] }, 404)
    return json({ data: { currency: url.searchParams.get('currency'), rates } })
  },
  binance(url: URL, prices: Prices) {
    if (url.pathname !== '/api/v3/ticker/bookTicker') return json({ code: -1100, msg: 'Illegal.' }, 404)
    const asked: string[] = JSON.parse(url.searchParams.get('symbols') ?? JSON.stringify(Object.keys(prices)))
    if (asked.some(symbol => !(symbol in prices))) return json({ code: -1121, msg: 'Invalid symbol.' }, 400)
    return json(asked.map(symbol => ({ symbol, bidPrice: prices[symbol], askPrice: prices[symbol] })))
  },
  /** A test names a price "bitcoin usd". */
  coingecko(url: URL, prices: Prices, seconds: number) {
    if (url.pathname !== '/api/v3/simple/price') return json({ error: 'Incorrect path' }, 404)
    const list = (name: string) => url.searchParams.get(name)?.split(',') ?? []
    const rows = list('ids').map(id => {
      const known = list('vs_currencies').filter(unit => prices[`${id} ${unit}`] !== undefined)
      const costs = known.map(unit => `"${unit}": ${prices[`${id} ${unit}`]}`)
      return `"${id}": {${[...costs, `"last_updated_at": ${seconds}`]}}`
    })
    return new Response(`{${rows}}`, { headers: { 'content-type': 'application/json' } })
  },
}

export type Exchange = keyof typeof answers

/** A simulated exchange over HTTP. Its prices can be changed, and its whole response replaced. */
export function stand(name: Exchange, prices: Prices) {
  const says: { prices: Prices; instead: (() => Response | Promise<Response>) | null; seenAt: () => number } =
    {
      prices,
      instead: null,
      seenAt: () => 0,
    }
  const server = receive(request =>
    says.instead
      ? says.instead()
      : answers[name](new URL(request.url), says.prices, Math.floor(says.seenAt() / 1000)),
  )
  const base = `http://127.0.0.1:${server.port}${name === 'coingecko' ? '/api/v3' : ''}`
  return { ...server, says, base }
}
