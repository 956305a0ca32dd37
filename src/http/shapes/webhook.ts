import { Closed, Text } from './kit.ts'
import { URL_MAX } from './shared.ts'

export const ChangeWebhook = Closed(
  { url: Text({ minLength: 1, maxLength: URL_MAX, description: 'A public https URL.' }) },
  { title: 'ChangeWebhook', examples: [{ url: 'https://shop.example/hooks/florin' }] },
)
