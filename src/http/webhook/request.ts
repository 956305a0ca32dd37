import { URL_MAX } from '../schema/fields.ts'
import { StrictObject, UnicodeString } from '../schema/types.ts'

export const ChangeWebhook = StrictObject(
  { url: UnicodeString({ minLength: 1, maxLength: URL_MAX, description: 'A public HTTPS URL.' }) },
  { title: 'ChangeWebhook', examples: [{ url: 'https://shop.example/hooks/florin' }] },
)
