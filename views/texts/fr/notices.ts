import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Une autre cryptomonnaie est arrivée',
    underpaid: 'Votre paiement ne couvre pas cette commande',
    late: 'Votre paiement est arrivé en retard',
    second_payment: 'Un deuxième paiement est arrivé',
    order_closed: 'Un paiement est arrivé pour une commande clôturée',
    too_late: 'Votre paiement est arrivé trop tard',
    overpaid: 'Vous avez payé plus que le montant dû',
  },
  otherCoin: 'une autre cryptomonnaie',
  received: {
    wrong_asset: (coins, wanted) => `Nous avons reçu ${coins}, mais ce paiement était demandé en ${wanted}.`,
    underpaid: (coins, value) =>
      value === null ? `Nous avons reçu ${coins}.` : `Nous avons reçu ${coins}, d’une valeur de ${value}.`,
    late: (coins, value) =>
      value === null
        ? `Nous avons reçu ${coins} après la fin du délai de paiement.`
        : `Nous avons reçu ${coins}, d’une ` + `valeur de ${value}, après la fin du délai de paiement.`,
    second_payment: coins => `Nous avons reçu ${coins}, mais cette commande était déjà payée.`,
    order_closed: coins => `Nous avons reçu ${coins}, mais cette commande était clôturée.`,
    too_late: coins => `Nous avons reçu ${coins} longtemps après la fin du délai de paiement.`,
    overpaid: (coins, due) => `Nous avons reçu ${coins}, mais le montant dû n’était que de ${due}.`,
  },
  notLost: shop => `Votre paiement est enregistré et ${shop} a été informé.`,
  contact: shop => `Contactez ${shop}`,
  contactForRefund: contact => `${contact} pour un remboursement ou si vous avez des questions.`,
  refundAddress: network => `Adresse de remboursement sur ${network}`,
  optional: '(facultatif)',
  saveAddress: 'Enregistrer l’adresse de remboursement',
  wrongAddress: 'Si elle est incorrecte, contactez la boutique.',
}
