export * from './api.ts'
export * from './client.ts'
