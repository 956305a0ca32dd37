import { describe, expect, test } from 'bun:test'
import { rateSources } from '../../../src/settings/rate-sources.ts'
import { words } from '../../support/words.ts'

describe('FLORIN_RATES', () => {
  test.each(
    words(`
    krakn Kraken constructor file: file /rates.json ftp://a.example/ https:// http:///rates
    https://a.example:99999/
  `),
  )('"%s" is refused, and named in the error', item => {
    expect(() => rateSources(`https://good.example/,${item}`)).toThrow(`"${item}"`)
  })

  test('a source cannot be listed twice', () => {
    expect(() => rateSources('https://a.example,https://A.EXAMPLE/')).toThrow('twice')
    expect(() => rateSources('file:a.json, file:a.json')).toThrow('lists "a.json" twice')
    expect(() => rateSources('kraken,coinbase,kraken')).toThrow('lists "kraken" twice')
  })

  test('lists the allowed values in an error', () => {
    expect(() => rateSources('bitstamp')).toThrow(
      'lists "bitstamp", which is not kraken, coinbase, binance, coingecko, file:PATH or an http(s) URL',
    )
  })

  test('an exchange without dollars needs another source', () => {
    expect(() => rateSources('binance')).toThrow('lists only binance, whose prices are in USDT')
    expect(rateSources('binance,kraken').length).toBe(2)
  })

  test('lists exchanges, files and URLs', () => {
    expect(rateSources('')).toEqual([])
    expect(rateSources('kraken, coingecko')).toEqual([
      { kind: 'exchange', place: 'kraken', name: 'kraken' },
      { kind: 'exchange', place: 'coingecko', name: 'coingecko' },
    ])
    expect(
      rateSources('file:/etc/rates.json, https://a.example:8443/rates?key=secret,http://127.0.0.1/'),
    ).toEqual([
      { kind: 'file', place: '/etc/rates.json', name: 'file' },
      { kind: 'url', place: 'https://a.example:8443/rates?key=secret', name: 'a.example:8443' },
      { kind: 'url', place: 'http://127.0.0.1/', name: '127.0.0.1' },
    ])
  })
})
