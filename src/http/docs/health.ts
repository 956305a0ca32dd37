import { Alive, Ready } from '../shapes/answers/envelope.ts'
import { documented } from './documented.ts'

export const isAlive = documented('isAlive', {
  tag: 'Health',
  summary: 'Ask whether the process lives',
  needs: null,
  answers: { 200: ['It does.', Alive] },
})

export const isReady = documented('isReady', {
  tag: 'Health',
  summary: 'Ask whether it can serve',
  description: 'The database can be written and is migrated.',
  needs: null,
  answers: { 200: ['It can.', Ready] },
  failures: { 503: 'The database is not ready.' },
})
