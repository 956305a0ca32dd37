import { destinationRules, URL_MAX } from '../schema/fields.ts'
import { DOCUMENTED, StrictObject, UnicodeString } from '../schema/types.ts'

export const ChangeWebhook = StrictObject(
  {
    url: UnicodeString({
      minLength: 1,
      maxLength: URL_MAX,
      description: 'A public HTTPS URL. Plain http is for hosts that FLORIN_OUTBOUND_ALLOW names.',
      [DOCUMENTED]: destinationRules,
    }),
  },
  { title: 'ChangeWebhook', examples: [{ url: 'https://shop.example/hooks/florin' }] },
)
