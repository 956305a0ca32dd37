import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Ihre Bestellung bei ${shop}`,
  opened: 'Sie haben eine Zahlung für diese Bestellung geöffnet. Der Link unten führt dorthin zurück.',
  paid: shop => `${shop} hat Ihre Zahlung erhalten. Vielen Dank.`,
  ignore: 'Falls Sie nichts bestellt haben, können Sie diese E-Mail ignorieren.',
}
