import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Ihre Bestellung bei ${shop}`,
  opened: 'Sie haben begonnen, diese Bestellung zu bezahlen. Über den Link unten kehren Sie zu ihr zurück.',
  paid: shop => `${shop} hat Ihre Zahlung erhalten. Vielen Dank.`,
  ignore: 'Wenn diese Bestellung nicht von Ihnen ist, können Sie diese E-Mail ignorieren.',
}
