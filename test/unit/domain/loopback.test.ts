import { expect, test } from 'bun:test'
import { isLoopback } from '../../../src/domain/loopback.ts'

test.each([
  'http://localhost',
  'smtp://localhost:25',
  'http://127.0.0.1:8080',
  'http://127.1',
  'smtp://[::1]',
])('%s is on this machine', url => expect(isLoopback(new URL(url).hostname)).toBe(true))

test.each([
  'smtp://localhost.example.com',
  'smtp://127.example',
  'http://127.0.0.1.example',
  'http://[::1:2]',
  'http://example.com',
])('%s may be on another machine', url => expect(isLoopback(new URL(url).hostname)).toBe(false))
