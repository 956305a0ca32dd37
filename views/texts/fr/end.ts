import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Payé',
  paidCoins: (amount, shop) => `Vous avez payé ${amount} à ${shop}.`,
  paidWith: (shop, method) => `Vous avez payé ${shop} avec ${method}.`,
  paidShop: shop => `Vous avez payé ${shop}.`,
  thanks: 'Merci !',
  refundedTitle: 'Remboursé',
  refunded: (amount, shop) => `${shop} a remboursé ${amount}.`,
  expired: 'Cette commande a expiré',
  contactFirst: shop => `Contactez ${shop} avant de payer à nouveau.`,
  notInTime: 'Elle n’a pas été payée à temps.',
  maybePaid: 'Si vous avez déjà payé, ne commandez pas à nouveau : votre paiement sera tout de même détecté.',
  orderAgain: 'Sinon, retournez à la boutique et commandez à nouveau.',
  cancelled: 'Cette commande a été annulée',
  notCharged: 'Aucun montant n’a été débité.',
  failed: 'Le paiement a échoué',
  declined:
    'Le prestataire de paiement a refusé le paiement. Retournez à la boutique et commandez à nouveau.',
  blocked: 'Paiement impossible',
  notAccepted: shop => `${shop} ne peut pas accepter ce paiement.`,
  haveQuestions: shop => `Contactez ${shop} si vous avez des questions.`,
}
