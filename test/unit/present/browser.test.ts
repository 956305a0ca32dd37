import { expect, test } from 'bun:test'
import { browserNames } from '../../../src/present/browser.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
  [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge', 'Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari', 'iOS'],
  ['curl/8.5.0', null, null],
])('the user agent %p is shown as %p on %p', (userAgent, browser, system) => {
  expect(browserNames(userAgent)).toEqual({ browser, system })
})
