import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'Une partie de votre paiement est arrivée',
  left: (left, total) =>
    `Il reste ${left} à payer sur ${total}. Vous pouvez payer le reste par tout moyen proposé par ` +
    'la boutique.',
  payRest: 'Payer le reste',
  vanished: 'Votre paiement n’apparaît plus sur son réseau',
  refund: 'Votre remboursement',
  recorded: (shop, amount) => `${shop} a enregistré un remboursement de ${amount} pour votre commande.`,
  refundedTotal: 'Total remboursé',
  sentApart: shop => `${shop} vous envoie l’argent séparément. S’il n’arrive pas, contactez la boutique.`,
  sentBack: 'Le prestataire de paiement par lequel vous avez payé vous renvoie l’argent.',
  decides: 'C’est la boutique qui décide d’un remboursement.',
  leaveAddress:
    'Si vous souhaitez récupérer cet argent, vous pouvez indiquer une adresse de remboursement ' +
    'sur la page de votre commande.',
  worth: 'Valeur',
  why: shop =>
    'Vous recevez cet e-mail parce que cette adresse a été indiquée pour une commande chez ' + `${shop}.`,
}
