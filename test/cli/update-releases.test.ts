import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mayAsk } from '../../src/updates/download.ts'
import { problemOfPlace } from '../../src/updates/managed.ts'
import { parsePublicKey, verifyFile } from '../../src/updates/minisign.ts'
import { update } from '../../src/updates/update.ts'
import { compareVersions } from '../../src/updates/version.ts'
import { fakeFlorin } from '../support/fake-executables.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { newSigningKey, signFile } from '../support/release-server.ts'
import { installations } from '../support/updating.ts'
import { florinHere, runInProcess } from './in-process.ts'

const given = newFolder()
const installed = installations(() => given)
beforeAll(() => florinHere(given).merchant('shop@shop.example'))
afterAll(async () => {
  installed.end()
  await endProcesses()
})

const signing = newSigningKey()
const stranger = newSigningKey()
const key = parsePublicKey(signing.line)
type Installed = Awaited<ReturnType<typeof installed.make>>

const publish = (one: Installed, more: Parameters<Installed['releases']['publish']>[3] = {}, by = signing) =>
  one.releases.publish(by, '1.1.0', fakeFlorin(one.state, '1.1.0'), more)

const fileUrl = '/florin-1.1.0-test-x64'
const endless = () =>
  new ReadableStream({
    async pull(controller) {
      await Bun.sleep(1)
      controller.enqueue(new Uint8Array(100_000))
    },
  })
const silent = () => new ReadableStream({ pull: () => new Promise<void>(() => {}) })

const refusals: [why: string, arrange: (one: Installed) => void, words: RegExp][] = [
  ['there is no index', one => one.releases.answers.delete('/index.json'), /index[.]json answered 404/],
  [
    'the index is a page',
    one => one.releases.answers.set('/index.json', () => new Response('<html>')),
    /The list of releases is invalid: it is not JSON/,
  ],
  [
    'the index is another document',
    one => one.releases.answers.set('/index.json', () => Response.json([{ version: '1.1.0' }])),
    /"releases" is missing/,
  ],
  [
    'a version is not one',
    one => one.releases.releases.push({ version: '../1.1.0', security: false, files: [] }),
    /a version is not one/,
  ],
  [
    'the index is endless',
    one => one.releases.answers.set('/index.json', () => new Response(endless())),
    /is larger than 1048576 bytes/,
  ],
  [
    'the index never comes',
    one => one.releases.answers.set('/index.json', () => new Response(silent())),
    /could not be downloaded: it does not answer/,
  ],
  [
    'there is no file for this system',
    one => publish(one, { target: 'other-x64' }),
    /1[.]1[.]0 has no file for test-x64/,
  ],
  [
    'the file is missing',
    one => {
      publish(one)
      one.releases.answers.delete(fileUrl)
    },
    /answered 404/,
  ],
  [
    'the file never comes',
    one => {
      publish(one)
      one.releases.answers.set(fileUrl, () => new Response(silent()))
    },
    /it does not answer/,
  ],
  [
    'the file is cut',
    one => {
      publish(one)
      one.releases.answers.set(fileUrl, () => new Response(fakeFlorin(one.state, '1.1.0').slice(0, -9)))
    },
    /its checksum is/,
  ],
  ['the checksum is another', one => publish(one, { change: { sha256: '0'.repeat(64) } }), /its checksum is/],
  ['a stranger signed it', one => publish(one, {}, stranger), /was made with the key .*, and not with/],
  [
    'a stranger signed it with the same name',
    one => publish(one, {}, { ...stranger, id: signing.id }),
    /The signature does not fit the file/,
  ],
  [
    'the signature is of another file',
    one =>
      publish(one, { change: { signature: signFile(signing, Buffer.from('x'), 'florin 1.1.0 test-x64') } }),
    /The signature does not fit the file/,
  ],
  ['there is no signature', one => publish(one, { change: { signature: '' } }), /not one of minisign/],
  [
    'the comment was changed after the signature',
    one => {
      publish(one, { comment: 'florin 1.0.5 test-x64' })
      const [file] = one.releases.releases[0]!.files
      file!.signature = file!.signature.replace('1.0.5', '1.1.0')
    },
    /does not fit its trusted comment/,
  ],
  [
    'an older file is offered as a newer one',
    one => publish(one, { comment: 'florin 0.9.0 test-x64' }),
    /is for "florin 0[.]9[.]0 test-x64", and not for "florin 1[.]1[.]0 test-x64"/,
  ],
  [
    'a file of another system is offered',
    one => publish(one, { comment: 'florin 1.1.0 other-x64' }),
    /and not for "florin 1[.]1[.]0 test-x64"/,
  ],
  [
    'the file says another version',
    one => one.releases.publish(signing, '1.1.0', fakeFlorin(one.state, '1.1.0', { says: '1.0.0' })),
    /says that it is version 1[.]0[.]0/,
  ],
  [
    'the file is no program',
    one => one.releases.publish(signing, '1.1.0', 'no program'),
    /no program|cannot be run|not found|exec/i,
  ],
  [
    'it leads to plain http',
    one => {
      publish(one)
      one.releases.answers.set(fileUrl, () => Response.redirect('http://192.0.2.1/florin'))
    },
    /leads to http:\/\/192[.]0[.]2[.]1, which is not https/,
  ],
  [
    'it leads in a circle',
    one => {
      publish(one)
      one.releases.answers.set(fileUrl, () => Response.redirect(fileUrl))
    },
    /too many redirects/,
  ],
]

describe.if(process.platform === 'linux')('florin update changes nothing if', () => {
  test.each(refusals)('%s', async (_, arrange, words) => {
    const one = await installed.make({ isRunning: false })
    arrange(one)
    const before = fakeFlorin(one.state, '1.0.0')
    const message = await update(await one.parts({ hasUnit: false }), key).catch(
      (error: Error) => error.message,
    )
    expect(message).toMatch(words)
    expect([one.version(), one.files()]).toEqual(['1.0.0', ['florin']])
    expect(await Bun.file(one.executable).text()).toBe(before)
  })

  test.each(['0.9.0', '1.0.0', '1.1.0-rc.1'])('%s is all that the list has', async version => {
    const one = await installed.make({ isRunning: false })
    one.releases.publish(signing, version, fakeFlorin(one.state, version))
    expect(await update(await one.parts({ hasUnit: false }), key)).toMatchObject({ to: null })
    expect([one.version(), one.files()]).toEqual(['1.0.0', ['florin']])
    // The request must reveal nothing about the installation.
    const [request] = one.releases.requests
    expect([request?.path, JSON.stringify(request?.headers)]).toEqual([
      '/index.json',
      expect.not.stringMatching(/florin|1[.]0[.]0/),
    ])
  })

  test('a disk has too little space', async () => {
    const one = await installed.make({ isRunning: false })
    publish(one)
    const parts = await one.parts({ hasUnit: false })
    for (const full of [join(one.folder, 'bin'), one.dataDir]) {
      const freeBytes = (folder: string) => (folder === full ? 1000 : 1e12)
      const message = await update({ ...parts, freeBytes }, key).catch((error: Error) => error.message)
      expect(message).toMatch(new RegExp(`^${full} has 1 MB of free space, and the update needs \\d+`))
      expect([one.version(), one.files()]).toEqual(['1.0.0', ['florin']])
    }
  })
})

test('a redirect and a signature of the older kind are accepted', async () => {
  const one = await installed.make({ isRunning: false })
  publish(one, { isHashed: false })
  const file = one.releases.answers.get(fileUrl)!
  one.releases.answers.set(fileUrl, () => Response.redirect('/elsewhere'))
  one.releases.answers.set('/elsewhere', file)
  expect(await update(await one.parts({ hasUnit: false }), key)).toMatchObject({ to: '1.1.0' })
})

test.each<[string, string | null, boolean]>([
  ['https://a.example/x', null, true],
  ['https://b.example/x', 'https://a.example/', true],
  ['http://a.example/x', null, false],
  ['http://a.example/x', 'https://a.example/', false],
  ['http://127.0.0.1:80/x', 'https://a.example/', false],
  ['http://127.0.0.1:80/x', null, true],
  ['https://user:password@a.example/', null, false],
  ['file:///etc/passwd', null, false],
])('the URL %s, redirected to from %p, may be requested: %p', (url, from, isAllowed) => {
  expect(mayAsk(new URL(url), from === null ? null : new URL(from))).toBe(isAllowed)
})

test('versions are compared by number, and previews come before their version', () => {
  const order = [
    ...['0.9.10', '0.10.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0', '1.0.1'],
  ]
  expect(order.toSorted(compareVersions)).toEqual(order)
  expect(order.toReversed().toSorted(compareVersions)).toEqual(order)
})

/** Signatures that minisign 0.11 made of "hello florin\n", with its own key pair. */
const made = {
  key: 'untrusted comment: minisign public key 8EDEE105751F3DCD\nRWTNPR91BeHejnrLtVvwFHzjmCmFIMMlRXqa9mDlZs9HJ4E+rhHS76Cy\n',
  hashed:
    'untrusted comment: signature from minisign secret key\n' +
    'RUTNPR91BeHejjt+RmYyU5bYoMNSUo0YlJTlEEAZy7IySIB3EVGRmZac+9bFIo6FYi89sRuepRE42OE3pwBuBQezKrtNq3ReIQk=\n' +
    'trusted comment: florin 1.2.3 linux-x64\n' +
    'L7zb3eHTxTs2jgPWT6GlFykScZmT42d96mYshW/G2iImgaJNRF9K0Gc5xZlcoVZhPo52DdjtLtv3XEF9dRNcCQ==\n',
  plain:
    'untrusted comment: signature from minisign secret key\n' +
    'RWTNPR91BeHejthHcfXtS0jrLY9ewlBuzev7lMyVRUwitwFJQy5uxgoa7cOGZh4uCoV7llZC4tki6fKCyxMTAvRM2fForSktawg=\n' +
    'trusted comment: florin 1.2.3 linux-x64\n' +
    'Nmwvx5is960nfl9TbAurAmaDj9kv6mtahPqxN2ak2ros/C1g76tdqeiIyZeHtROoLatjYwKzWhkCGJ0A55N9DQ==\n',
}

test.each(['hashed', 'plain'] as const)('a signature made by minisign itself is accepted: %s', kind => {
  const path = join(newFolder(), 'file')
  const check = (content: string) => {
    writeFileSync(path, content)
    const blake2b = new Bun.CryptoHasher('blake2b512').update(content).digest()
    return verifyFile(parsePublicKey(made.key), made[kind], { path, blake2b })
  }
  expect(check('hello florin\n')).toBe('florin 1.2.3 linux-x64')
  expect(() => check('hello florin')).toThrow('does not fit the file')
})

describe('florin update', () => {
  const releases = () => installed.make({ isRunning: false }).then(one => one.releases)
  const florin = (url: string, ...args: string[]) =>
    runInProcess({ FLORIN_RELEASES_URL: url, FLORIN_DATA_DIR: given }, 'update', ...args)
  const target = `${process.platform}-${process.arch}`

  test('--check exits with 3 if there is a newer version, and reports if it repairs a security problem', async () => {
    const server = await releases()
    expect(await florin(server.url, '--check')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('is the newest version'),
    })
    server.publish(signing, '99.0.0', '', { target, security: true })
    server.publish(signing, '99.0.1', '', { target })
    const ran = await florin(server.url, '--check', '--json')
    const { version: _, ...answer } = JSON.parse(ran.stdout)
    expect([ran.exitCode, answer]).toEqual([3, { newest: '99.0.1', isSecurity: true }])
  })

  test.each<[string, Record<string, string>, string[], RegExp]>([
    ['without a list of releases', {}, ['--check'], /Set FLORIN_RELEASES_URL/],
    [
      'to a list on plain http',
      { FLORIN_RELEASES_URL: 'http://a.example' },
      ['--check'],
      /must be an https:/,
    ],
    ['to check and to go back', {}, ['--check', '--rollback'], /Choose one of/],
    ['to change a checkout', {}, [], /runs from its source/],
    [
      'to try a backup that is missing',
      { FLORIN_DATA_DIR: given },
      ['--trial', join(given, 'missing')],
      /does not exist/,
    ],
  ])('is refused %s', async (_, environment, args, words) => {
    const ran = await runInProcess(environment, 'update', ...args)
    expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([1, '', expect.stringMatching(words)])
  })

  test('--trial opens a copy of a backup, contacts no server, and leaves no files', async () => {
    const backup = join(newFolder(), 'backup.sqlite')
    await runInProcess({ FLORIN_DATA_DIR: given }, 'backup', backup)
    const before = await Bun.file(backup).bytes()
    const ran = await runInProcess({ FLORIN_DATA_DIR: given }, 'update', '--trial', backup, '--json')
    expect([ran.exitCode, ran.stdout.trim()]).toEqual([0, '{"migrations":[]}'])
    expect(await Bun.file(backup).bytes()).toEqual(before)
    expect(await Bun.file(join(given, 'update-trial/florin.sqlite')).exists()).toBe(false)
    writeFileSync(backup, 'no database')
    const other = await runInProcess({ FLORIN_DATA_DIR: given }, 'update', '--trial', backup)
    expect([other.exitCode, other.stdout]).toEqual([1, ''])
  })
})

test.each([
  ['a container of the image', '/usr/local/bin/florin', { container: 'oci' }, /start the image of the newer/],
  ['a pod', '/usr/local/bin/florin', { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, /start the image of the newer/],
  ['Homebrew', '/opt/homebrew/Cellar/florin/0.1.0/bin/florin', {}, /brew upgrade florin/],
])('an executable that %s installed is not replaced', async (_, path, environment, words) => {
  const executable = join(newFolder(), path)
  mkdirSync(dirname(executable), { recursive: true })
  writeFileSync(executable, '')
  expect(await problemOfPlace(executable, { PATH: process.env.PATH, ...environment })).toMatch(words)
})
