import { Closed, Text } from './kit.ts'
import { URL_MAX } from './shared.ts'

export const ChangeWebhook = Closed({
  url: Text({ minLength: 1, maxLength: URL_MAX, examples: ['https://shop.example/hooks/florin'] }),
})
