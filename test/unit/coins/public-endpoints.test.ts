import { expect, test } from 'bun:test'
import { endpointChoices } from '../../../src/coins/public-endpoints.ts'
import { registry } from '../../../src/coins/registry.ts'
import { readSettings } from '../../../src/settings/read.ts'

const choicesOf = endpointChoices(registry)
const all = registry.chains.map(({ id }) => choicesOf(id)!)

test('each public endpoint is accepted by the setting that it is for, and is reached over https', () => {
  const lines = all.flatMap(({ setting, endpoints }) => endpoints.map(({ url }) => [setting, url] as const))
  expect(lines.length).toBeGreaterThan(10)
  for (const [setting, url] of lines) {
    expect(() => readSettings({ [setting]: url })).not.toThrow()
    expect(url).toMatch(/^(\w+[+])?https:/)
  }
})

test('no endpoint is twice in a list', () => {
  const urls = all.flatMap(({ endpoints }) => endpoints.map(({ url }) => url))
  expect(new Set(urls).size).toBe(urls.length)
})

test('a chain that the operator added has no suggested endpoints', () => {
  expect(choicesOf('made-up')).toBeNull()
})
