import { describe, expect, test } from 'bun:test'
import { databaseUrl } from '../../../src/settings/database-url.ts'
import { showSettings } from '../../../src/settings/read.ts'
import { words } from '../../support/words.ts'

const shown = (value: string) =>
  showSettings({ FLORIN_DATABASE_URL: value }).find(({ name }) => name === 'FLORIN_DATABASE_URL')?.value

describe('the URL of a database', () => {
  test('names hosts, user, password and database', () => {
    expect(databaseUrl('')).toBe(null)
    expect(databaseUrl('postgres://shop:p%40ss%2C@db.example:6432/florin')).toEqual({
      hosts: [{ host: 'db.example', port: 6432 }],
      user: 'shop',
      password: 'p@ss,',
      database: 'florin',
      tls: 'verify-full',
      rootCertificate: '',
    })
    expect(databaseUrl('postgresql://u@a,[::1]:6432/d?sslmode=require')).toMatchObject({
      hosts: [
        { host: 'a', port: 5432 },
        { host: '::1', port: 6432 },
      ],
      tls: 'require',
    })
    const hosts = [
      { host: 'a', port: 5432 },
      { host: 'b', port: 5432 },
    ]
    for (const which of ['read-write', 'primary'])
      expect(databaseUrl(`postgres://u@a,b/d?target_session_attrs=${which}`)).toMatchObject({ hosts })
    expect(databaseUrl('postgres://u@/d?host=/run/postgresql')).toMatchObject({
      hosts: [{ host: '/run/postgresql', port: 5432 }],
      tls: 'disable',
    })
  })

  test('is encrypted and checked unless the server is on this machine', () => {
    const tls = (rest: string) => databaseUrl(`postgres://u@${rest}`)?.tls
    expect(['localhost/d', '127.0.0.1:1/d', '[::1]/d'].map(tls)).toEqual(['disable', 'disable', 'disable'])
    expect(['10.0.0.1/d', 'localhost.example/d', 'localhost,db/d'].map(tls)).toEqual([
      'verify-full',
      'verify-full',
      'verify-full',
    ])
  })

  test.each(
    words(`
    mysql://u@h/d postgres://u@h postgres://u@h/ postgres://u@h:0/d postgres://u@h:99999/d
    postgres://u:%ZZ@h/d postgres://u@h/d?sslmode=maybe postgres://u@h/d?options=-c postgres://u:p@ss@h/d
    postgres://u@a,b/d?target_session_attrs=any postgres://u@a,b/d?target_session_attrs=prefer-standby
  `),
  )('is refused: %s', url => {
    expect(() => databaseUrl(url)).toThrow(/^(must|may)/)
  })

  test('is shown without user and password', () => {
    expect(shown('postgres://shop:a,secret:word@a:1,b/d')).toBe('postgres://***@a:1,b:5432/d')
    expect(shown('postgres://shop:p@ss,secret:word@h/d')).toBe('***')
  })
})
