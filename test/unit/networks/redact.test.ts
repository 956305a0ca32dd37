import { expect, test } from 'bun:test'
import { HttpEndpoint } from '../../../src/networks/rpc/http.ts'

const isLocal = (url: string): boolean => new HttpEndpoint(url, { fetch, clock: () => 0 }).isLocal

test.each([
  ...['http://127.example.com', 'http://127.0.0.1.example.com', 'http://localhost.example.com'],
  ...['http://10.0.0.1', 'http://0.0.0.0', 'http://[::2]'],
])('%s is not this machine', url => {
  expect(isLocal(url)).toBe(false)
})

test.each([
  ...['http://127.0.0.1:8545', 'http://127.8.9.1', 'http://localhost/key', 'http://[::1]:1', 'http://127.1'],
])('%s is this machine', url => {
  expect(isLocal(url)).toBe(true)
})
