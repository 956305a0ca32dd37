import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Je bestelling bij ${shop}`,
  opened: 'Je hebt een betaling voor deze bestelling geopend. De link hieronder brengt je ernaar terug.',
  paid: shop => `${shop} heeft je betaling ontvangen. Bedankt.`,
  ignore: 'Heb je niets besteld? Dan kun je deze e-mail negeren.',
}
