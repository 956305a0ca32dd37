import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'Ein Teil Ihrer Zahlung ist eingegangen',
  left: (left, total) =>
    `Von ${total} sind noch ${left} zu zahlen. Den Rest können Sie mit jeder Zahlungsart bezahlen, ` +
    'die der Shop anbietet.',
  payRest: 'Rest bezahlen',
  vanished: 'Ihre Zahlung ist im Netzwerk nicht mehr zu sehen',
  refund: 'Ihre Erstattung',
  recorded: (shop, amount) => `${shop} hat für Ihre Bestellung eine Erstattung von ${amount} vermerkt.`,
  refundedTotal: 'Insgesamt erstattet',
  sentApart: shop =>
    `${shop} sendet Ihnen das Geld gesondert. Wenn es nicht ankommt, kontaktieren Sie den Shop.`,
  sentBack: 'Der Zahlungsanbieter, über den Sie bezahlt haben, zahlt das Geld zurück.',
  decides: 'Der Shop entscheidet über eine Erstattung.',
  leaveAddress:
    'Wenn Sie das Geld zurückhaben möchten, können Sie auf der Seite Ihrer Bestellung eine ' +
    'Erstattungsadresse hinterlassen.',
  worth: 'Wert',
  why: shop =>
    `Sie erhalten diese E-Mail, weil diese Adresse bei einer Bestellung bei ${shop} angegeben ` + 'wurde.',
}
