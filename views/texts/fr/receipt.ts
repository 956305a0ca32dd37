import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  title: 'Reçu',
  titleOf: shop => `Reçu de ${shop}`,
  show: 'Voir le reçu',
  paidOn: 'Payé le',
  order: 'Commande',
  item: 'Article',
  thisOrder: reference => `Commande ${reference}`,
  amount: 'Montant',
  total: 'Total',
  refunded: date => `Remboursé le ${date}`,
  afterRefunds: 'Total après remboursements',
  payment: 'Paiement',
  paidWith: 'Payé avec',
  received: 'Montant reçu',
  rate: 'Taux de change',
  transaction: 'Transaction',
  byMerchant: shop => `${shop} a marqué cette commande comme payée.`,
  print: 'Imprimer ou enregistrer en PDF',
  backToOrder: 'Retour à la commande',
  sandbox: 'Paiement fictif dans l’environnement de test. Aucun argent n’a été versé.',
}
