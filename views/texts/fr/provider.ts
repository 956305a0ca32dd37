import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Payer avec ${method}`,
  waiting: method => `En attente de ${method}`,
  otherTab:
    'Terminez votre paiement dans l’autre onglet. Cette page se met à jour automatiquement ' +
    'quelques minutes après votre paiement. Une fois que vous avez payé, vous pouvez fermer cette ' +
    'page ; votre commande sera tout de même marquée comme payée.',
  openAgain: method => `Rouvrir ${method}`,
  unconfirmed: method => `${method} n’a pas encore confirmé le paiement.`,
}
