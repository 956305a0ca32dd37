import { expect, test } from 'bun:test'
import { type NotifyTarget, parseNotifyTarget } from '../../../src/domain/notify-target.ts'

const TELEGRAM = 'https://api.telegram.org'

const read: [name: NotifyTarget['name'], text: string, url: string | null, topic?: string][] = [
  ['https', 'https://shop.example/hook?a=b', 'https://shop.example/hook?a=b', ''],
  ['https', 'https://shop.example', 'https://shop.example/', ''],
  ['https', 'https://user:secret@shop.example/hook', null],
  ['https', 'https://shop.example/hook#part', null],
  ['https', 'ftp://shop.example/hook', null],
  ['https', 'shop.example', null],
  ['https', '', null],
  ['ntfy', 'https://ntfy.sh/my%20shop', 'https://ntfy.sh', 'my shop'],
  ['ntfy', 'https://a.example/b/shop', 'https://a.example/b', 'shop'],
  ['ntfy', 'https://ntfy.sh/%zz', 'https://ntfy.sh', '%zz'],
  ['ntfy', 'https://ntfy.sh/', null],
  ['ntfy', 'my-shop', null],
  ['telegram', '-100123', TELEGRAM, '-100123'],
  ['telegram', '@corner_coffee', TELEGRAM, '@corner_coffee'],
  ['telegram', 'https://bots.example/-100123', 'https://bots.example', '-100123'],
  ['telegram', 'a chat', null],
  ['telegram', '', null],
]

test.each(read)('a channel of the kind %s accepts or refuses %p', (name, text, url, topic = '') => {
  expect(parseNotifyTarget(name, text)).toEqual(url === null ? null : { name, url, topic })
})
