import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Je bestelling bij ${shop}`,
  opened:
    'Je bent begonnen deze bestelling te betalen. Gebruik de link hieronder om terug te gaan ' +
    'naar de betaling.',
  paid: shop => `${shop} heeft je betaling ontvangen. Bedankt.`,
  ignore: 'Heb je deze bestelling niet geplaatst? Dan kun je deze e-mail negeren.',
}
