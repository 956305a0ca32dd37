import { URL_MAX } from '../schema/fields.ts'
import { Closed, Text } from '../schema/types.ts'

export const ChangeWebhook = Closed(
  { url: Text({ minLength: 1, maxLength: URL_MAX, description: 'A public https URL.' }) },
  { title: 'ChangeWebhook', examples: [{ url: 'https://shop.example/hooks/florin' }] },
)
